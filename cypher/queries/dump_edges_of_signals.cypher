// Everything that leaves the given signals, with every property of any kind of it.
// params: ids
// returns: leaving, kind, label, reached
// index: signal_id
UNWIND $ids AS wanted
MATCH (s:Signal {id: wanted})-[r]->(n)
RETURN s.id AS leaving, type(r) AS kind, labels(n)[0] AS label, n.id AS reached
ORDER BY leaving, kind, label, reached
