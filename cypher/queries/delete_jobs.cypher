// Deletes jobs with their tasks.
// params: rows [{id}]
// returns: nothing
// index: job_id
UNWIND $rows AS row
MATCH (j:Job {id: row.id})
OPTIONAL MATCH (t:Task)-[:STEP_OF]->(j)
DETACH DELETE t, j
