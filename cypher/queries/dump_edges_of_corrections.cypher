// Everything that leaves the given corrections, with every property of any kind of it.
// params: ids
// returns: leaving, kind, label, reached
// index: correction_id
UNWIND $ids AS wanted
MATCH (k:Correction {id: wanted})-[r]->(n)
RETURN k.id AS leaving, type(r) AS kind, labels(n)[0] AS label, n.id AS reached
ORDER BY leaving, kind, label, reached
