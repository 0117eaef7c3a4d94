// Puts running tasks back in the queue with what went wrong, or parks them with their jobs once tried `attempts` times.
// A task is named by its holder, or by the attempt and beat it was last seen at. Locks as everywhere: job, task.
// Returns those that can be taken again, to one who asks again too.
// params: rows [{id, holder, attempt, beat, attempts, error}] with either holder null or attempt and beat
// returns: id, job, stage, part, queue
// index: task_id
UNWIND $rows AS row
MATCH (t:Task {id: row.id})-[:STEP_OF]->(j:Job)
SET j.kind = j.kind
SET t.stage = t.stage
WITH row, t, j
WHERE (t.status = 'running' AND (t.holder = row.holder OR (t.attempt = row.attempt AND t.beat = row.beat)))
    OR (t.status = 'queued' AND (t.holder = row.holder OR (t.attempt = row.attempt AND t.beat = row.beat + 1)))
FOREACH (x IN CASE WHEN t.status = 'running' AND t.attempt >= row.attempts AND j.status = 'open' THEN [1] ELSE [] END |
    SET j.status = 'parked', j.stage = t.stage, j.error = row.error)
FOREACH (x IN CASE WHEN t.status = 'running' THEN [1] ELSE [] END |
    SET t.status = CASE WHEN t.attempt >= row.attempts THEN 'parked' ELSE 'queued' END, t.error = row.error,
        t.holder = row.holder, t.beat = t.beat + 1)
WITH t, j
WHERE t.status = 'queued'
RETURN t.id AS id, j.id AS job, t.stage AS stage, t.part AS part, t.queue AS queue
ORDER BY id
