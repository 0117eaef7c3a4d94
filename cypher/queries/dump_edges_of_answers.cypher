// Everything that leaves the given answers, with every property of any kind of it.
// params: ids
// returns: leaving, kind, label, reached, position
// index: answer_id
UNWIND $ids AS wanted
MATCH (a:Answer {id: wanted})-[r]->(n)
RETURN a.id AS leaving, type(r) AS kind, labels(n)[0] AS label, n.id AS reached, r.position AS position
ORDER BY leaving, kind, label, reached
