// Joins answers to the evidence they rest on; position 0 is what they cite as [1].
// params: rows [{id, evidence, position}] where id is the answer's
// returns: nothing
// index: answer_id, evidence_id
UNWIND $rows AS row
MATCH (a:Answer {id: row.id})
MATCH (e:Evidence {id: row.evidence})
MERGE (a)-[x:GROUNDED_IN]->(e)
SET x.position = row.position
