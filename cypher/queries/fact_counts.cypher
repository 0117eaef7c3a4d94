// How many facts each graph holds.
// params: none
// returns: graph, facts
// index: none
MATCH (:Entity)-[f:FACT]->()
RETURN f.graph AS graph, count(f) AS facts
ORDER BY graph
