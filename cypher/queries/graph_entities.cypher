// How many entities stand in a graph.
// params: graph
// returns: entities
// index: none
MATCH (e:Entity)
WHERE $graph IN e.graphs
RETURN count(e) AS entities
