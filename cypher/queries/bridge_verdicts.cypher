// Before verdicts are deleted: what superseded one of them directly or not supersedes all that it superseded, so that
// an old verdict does not come back as if it had never been superseded.
// params: rows [{id}]
// returns: nothing
// index: verdict_id
UNWIND $rows AS row
MATCH (newer:Verdict)-[:SUPERSEDES*1..]->(v:Verdict {id: row.id})-[:SUPERSEDES*1..]->(older:Verdict)
MERGE (newer)-[:SUPERSEDES]->(older)
