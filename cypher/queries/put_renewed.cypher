// Makes verdicts of version 0.1.0 what they are now: their reason was called explanation, their numbers were nodes, and
// they had no name. Those that are new already stay as they are.
// params: rows [{id, signals}] where signals maps method_name to a number
// returns: nothing
// index: verdict_id
UNWIND $rows AS row
MATCH (c:Claim)<-[:OF]-(v:Verdict {id: row.id})
SET v.name = v.outcome + ': ' + c.name, v.reason = coalesce(v.reason, v.explanation)
SET v += row.signals
REMOVE v.explanation
FOREACH (x IN CASE WHEN v.outcome = 'SUPPORTED' THEN [1] ELSE [] END | SET v:Supported)
FOREACH (x IN CASE WHEN v.outcome = 'REFUTED' THEN [1] ELSE [] END | SET v:Refuted)
FOREACH (x IN CASE WHEN v.outcome = 'NOT_ENOUGH_INFO' THEN [1] ELSE [] END | SET v:NotEnoughInfo)
WITH v
OPTIONAL MATCH (s:Signal)-[:FOR]->(v)
DETACH DELETE s
