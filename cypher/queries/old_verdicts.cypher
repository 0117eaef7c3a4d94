// Verdicts as version 0.1.0 stored them: a row for each of their numbers, which were nodes, or one without.
// params: ids
// returns: id, method, name, value
// index: verdict_id
UNWIND $ids AS wanted
MATCH (v:Verdict {id: wanted})
OPTIONAL MATCH (s:Signal)-[:FOR]->(v)
RETURN v.id AS id, s.method AS method, s.name AS name, s.value AS value
ORDER BY id, method, name
