// A page of a graph's facts as a graph of numbers needs them: those with ids from `first` up to but not including
// `before`, a row a predicate with its facts in no order, and with their ends at the same places. Columns instead of a
// row a fact: both engines take most of the time of an export for rows.
// params: graph, first, before
// returns: predicate, facts, subjects, objects
// index: fact_graph or fact_id
MATCH (s:Entity)-[f:FACT {graph: $graph}]->(o)
WHERE f.id >= $first AND f.id < $before
RETURN f.predicate AS predicate, collect(f.id) AS facts, collect(s.id) AS subjects, collect(o.id) AS objects
