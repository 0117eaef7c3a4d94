// Writes the numbers that verdicts rest on.
// params: rows [{id, verdict, method, name, value}]
// returns: nothing
// index: signal_id, verdict_id
UNWIND $rows AS row
MATCH (v:Verdict {id: row.verdict})
MERGE (s:Signal {id: row.id})
SET s.method = row.method, s.name = row.name, s.value = row.value
MERGE (s)-[:FOR]->(v)
