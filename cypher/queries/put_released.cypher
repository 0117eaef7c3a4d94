// Puts running jobs back in the queue as if nobody had taken them. Returns them, to one who asks again too.
// params: rows [{id, holder}]
// returns: id, task, queue
// index: job_id
UNWIND $rows AS row
MATCH (j:Job {id: row.id})
SET j.kind = j.kind
WITH row, j
WHERE j.holder = row.holder AND (j.status = 'running' OR j.status = 'queued')
FOREACH (x IN CASE WHEN j.status = 'running' THEN [1] ELSE [] END |
    SET j.status = 'queued', j.attempt = j.attempt - 1, j.beat = j.beat + 1)
RETURN j.id AS id, j.task AS task, j.queue AS queue
ORDER BY id
