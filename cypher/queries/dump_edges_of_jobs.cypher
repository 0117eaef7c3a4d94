// Everything that leaves the given jobs, with every property of any kind of it.
// params: ids
// returns: leaving, kind, label, reached
// index: job_id
UNWIND $ids AS wanted
MATCH (j:Job {id: wanted})-[r]->(n)
RETURN j.id AS leaving, type(r) AS kind, labels(n)[0] AS label, n.id AS reached
ORDER BY leaving, kind, label, reached
