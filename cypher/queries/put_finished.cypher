// Ends the task of running jobs, with what is noted of the job: the next task waits, or the job is over, as failed where
// the task says so. Returns the jobs whose next task can be taken, to one who asks again too.
// params: rows [{id, holder, notes, failed, task, queue, at}] where task and queue are the next's, or null
// returns: id, task, queue
// index: job_id
UNWIND $rows AS row
MATCH (j:Job {id: row.id})
SET j.kind = j.kind
WITH row, j
WHERE j.holder = row.holder
FOREACH (x IN CASE WHEN j.status = 'running' THEN [1] ELSE [] END |
    SET j.notes = row.notes, j.error = row.failed, j.beat = j.beat + 1,
        j.attempt = CASE WHEN row.task IS NULL THEN j.attempt ELSE 0 END,
        j.task = coalesce(row.task, j.task), j.queue = coalesce(row.queue, j.queue),
        j.finishedAt = CASE WHEN row.task IS NULL THEN row.at ELSE null END,
        j.status = CASE WHEN row.task IS NOT NULL THEN 'queued' WHEN row.failed IS NULL THEN 'done' ELSE 'failed' END)
WITH row, j
WHERE j.status = 'queued' AND j.task = row.task
RETURN j.id AS id, j.task AS task, j.queue AS queue
ORDER BY id
