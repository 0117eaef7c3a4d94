// How many facts a graph holds.
// params: graph
// returns: facts
// index: fact_graph
MATCH ()-[f:FACT {graph: $graph}]->()
RETURN count(f) AS facts
