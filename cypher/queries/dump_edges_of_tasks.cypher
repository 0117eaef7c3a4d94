// Everything that leaves the given tasks, with every property of any kind of it.
// params: ids
// returns: leaving, kind, label, reached
// index: task_id
UNWIND $ids AS wanted
MATCH (t:Task {id: wanted})-[r]->(n)
RETURN t.id AS leaving, type(r) AS kind, labels(n)[0] AS label, n.id AS reached
ORDER BY leaving, kind, label, reached
