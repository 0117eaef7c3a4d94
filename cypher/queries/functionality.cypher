// How many subjects and facts each predicate has in some graphs.
// params: graphs
// returns: predicate, subjects, facts
// index: fact_graph
MATCH (s:Entity)-[f:FACT]->()
WHERE f.graph IN $graphs
RETURN f.predicate AS predicate, count(DISTINCT s.id) AS subjects, count(f) AS facts
ORDER BY predicate
