// Lets jobs of version 0.1.0, whose work was tasks of their own, wait to be done as one; those that are over stay so.
// params: rows [{id, task, queue}]
// returns: nothing
// index: job_id
UNWIND $rows AS row
MATCH (j:Job {id: row.id})
WHERE j.attempt IS NULL
OPTIONAL MATCH (t:Task)-[:STEP_OF]->(j)
WITH row, j, max(t.attempt) AS tried
SET j.task = row.task, j.queue = row.queue, j.beat = 0,
    j.attempt = CASE WHEN j.status = 'open' OR tried IS NULL THEN 0 ELSE tried END,
    j.status = CASE WHEN j.status = 'open' THEN 'queued' ELSE j.status END
REMOVE j.stage
WITH j
OPTIONAL MATCH (t:Task)-[:STEP_OF]->(j)
DETACH DELETE t
