// A page of a graph's facts as a graph of numbers needs them: those with ids from `first` up to but not including
// `before`, in no order.
// params: graph, first, before
// returns: id, subject, predicate, object
// index: fact_graph or fact_id
MATCH (s:Entity)-[f:FACT {graph: $graph}]->(o)
WHERE f.id >= $first AND f.id < $before
RETURN f.id AS id, s.id AS subject, f.predicate AS predicate, o.id AS object
