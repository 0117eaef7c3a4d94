// Writes jobs that wait to be taken; one that is there stays as it is. `context` has ids, joined by spaces.
// params: rows [{id, kind, context, options, task, queue, at}]
// returns: nothing
// index: job_id
UNWIND $rows AS row
MERGE (j:Job {id: row.id})
ON CREATE SET j.kind = row.kind, j.context = row.context, j.options = row.options, j.notes = '{}', j.task = row.task,
    j.queue = row.queue, j.status = 'queued', j.attempt = 0, j.beat = 0, j.holder = null, j.error = null,
    j.seconds = 0.0, j.calls = 0, j.tokens = 0, j.createdAt = row.at, j.finishedAt = null
