// Ends running tasks, adds what they noted to their jobs' notes (two JSON objects become one; of equal keys a reader
// takes the last), and with the last part of a stage brings the next tasks into being (or, where the stage was done
// again, back into the queue) or ends the job, as failed where a task says so. Locks as everywhere: job, task. Returns the next tasks that can be taken, to one who asks again too.
// params: rows [{id, holder, notes, failed, following, at}] where following are rows of tasks {id, stage, part, queue}
// returns: id, job, stage, part, queue
// index: task_id
UNWIND $rows AS row
MATCH (t:Task {id: row.id})-[:STEP_OF]->(j:Job)
SET j.kind = j.kind
SET t.stage = t.stage
WITH row, t, j
WHERE t.holder = row.holder AND (t.status = 'running' OR t.status = 'done')
WITH row, t, j, CASE WHEN t.status = 'running' THEN [1] ELSE [] END AS fresh
FOREACH (x IN CASE WHEN row.notes = '{}' THEN [] ELSE fresh END |
    SET j.notes = CASE WHEN j.notes = '{}' THEN row.notes
        ELSE left(j.notes, size(j.notes) - 1) + ', ' + substring(row.notes, 1) END)
FOREACH (x IN fresh |
    SET t.status = 'done', t.error = row.failed, t.beat = t.beat + 1)
WITH row, t, j, fresh
MATCH (j)<-[:STEP_OF]-(o:Task)
WITH row, j, fresh, sum(CASE WHEN o.stage = t.stage AND o.status <> 'done' THEN 1 ELSE 0 END) AS missing,
    sum(CASE WHEN o.status <> 'done' THEN 1 ELSE 0 END) AS open,
    max(CASE WHEN o.status = 'done' THEN o.error ELSE null END) AS error
FOREACH (s IN CASE WHEN missing = 0 AND size(fresh) = 1 THEN row.following ELSE [] END |
    MERGE (n:Task {id: s.id})
    ON CREATE SET n.stage = s.stage, n.part = s.part, n.queue = s.queue, n.status = 'queued', n.attempt = 0,
        n.beat = 0, n.holder = null, n.error = null, n.seconds = 0.0
    ON MATCH SET n.status = 'queued', n.attempt = 0, n.beat = n.beat + 1, n.error = null
    MERGE (n)-[:STEP_OF]->(j)
    SET j.stage = s.stage)
FOREACH (x IN CASE WHEN open = 0 AND size(row.following) = 0 THEN fresh ELSE [] END |
    SET j.status = CASE WHEN error IS NULL THEN 'done' ELSE 'failed' END, j.error = error, j.stage = null,
        j.finishedAt = row.at)
WITH row, j
UNWIND row.following AS s
MATCH (n:Task {id: s.id})
WHERE n.status = 'queued'
RETURN n.id AS id, j.id AS job, n.stage AS stage, n.part AS part, n.queue AS queue
ORDER BY id
