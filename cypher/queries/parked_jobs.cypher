// Jobs that were tried too often, of one batch or of all (null), with how often and their last error.
// params: batch, limit
// returns: job, document, name, task, attempts, error
// index: job_status
MATCH (j:Job {status: 'parked'})
WHERE $batch IS NULL OR EXISTS { MATCH (j)-[:PART_OF]->(b:Batch) WHERE b.id = $batch }
OPTIONAL MATCH (j)-[:CHECKS]->(d:Document)
RETURN j.id AS job, d.id AS document, d.name AS name, j.task AS task, j.attempt AS attempts, j.error AS error
ORDER BY job
LIMIT $limit
