// Puts running jobs back in the queue with what went wrong, or parks them once tried `attempts` times. A job is named by
// its holder, or by the attempt and beat it was last seen at. Returns those that can be taken again, to one who asks
// again too.
// params: rows [{id, holder, attempt, beat, attempts, error}] with either holder null or attempt and beat
// returns: id, task, queue
// index: job_id
UNWIND $rows AS row
MATCH (j:Job {id: row.id})
SET j.kind = j.kind
WITH row, j
WHERE (j.status = 'running' AND (j.holder = row.holder OR (j.attempt = row.attempt AND j.beat = row.beat)))
    OR (j.status = 'queued' AND (j.holder = row.holder OR (j.attempt = row.attempt AND j.beat = row.beat + 1)))
FOREACH (x IN CASE WHEN j.status = 'running' THEN [1] ELSE [] END |
    SET j.status = CASE WHEN j.attempt >= row.attempts THEN 'parked' ELSE 'queued' END, j.error = row.error,
        j.holder = row.holder, j.beat = j.beat + 1)
WITH j
WHERE j.status = 'queued'
RETURN j.id AS id, j.task AS task, j.queue AS queue
ORDER BY id
