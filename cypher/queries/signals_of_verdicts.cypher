// The numbers that some verdicts rest on.
// params: ids
// returns: verdict, method, name, value
// index: verdict_id
UNWIND $ids AS wanted
MATCH (s:Signal)-[:FOR]->(v:Verdict {id: wanted})
RETURN v.id AS verdict, s.method AS method, s.name AS name, s.value AS value
ORDER BY verdict, method, name
