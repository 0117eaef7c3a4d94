// Jobs that were tried too often, of one batch or of all (null), with how often and their last error.
// params: batch, limit
// returns: job, document, name, stage, attempts, error
// index: job_status
MATCH (j:Job {status: 'parked'})<-[:STEP_OF]-(t:Task)
WHERE t.status = 'parked' AND ($batch IS NULL OR EXISTS { MATCH (j)-[:PART_OF]->(b:Batch) WHERE b.id = $batch })
WITH j, max(t.attempt) AS attempts
OPTIONAL MATCH (j)-[:CHECKS]->(d:Document)
RETURN j.id AS job, d.id AS document, d.name AS name, j.stage AS stage, attempts, j.error AS error
ORDER BY job
LIMIT $limit
