// Gives queued jobs of active batches to whoever asks first: setting the kind to itself locks the job against a second
// one. A holder is unique to the asking, so one who asks again since the answer was lost is told once more.
// `batches`, `bulk` and `left` (tokens, -1 for no limit) are those of the active batches, by id.
// params: rows [{id, holder}]
// returns: id, task, queue, attempt, holder, kind, document, context, options, notes, batches, bulk, left
// index: job_id
UNWIND $rows AS row
MATCH (j:Job {id: row.id})
SET j.kind = j.kind
WITH row, j
WHERE j.status = 'queued' OR (j.status = 'running' AND j.holder = row.holder)
MATCH (j)-[:PART_OF]->(b:Batch)
WHERE b.state = 'active'
OPTIONAL MATCH (j)-[:CHECKS]->(d:Document)
WITH row, j, d, b ORDER BY b.id
WITH row, j, d, collect(b.id) AS batches, collect(b.bulk) AS bulk,
    collect(CASE WHEN b.maxTokens IS NULL THEN -1 WHEN b.tokens > b.maxTokens THEN 0 ELSE b.maxTokens - b.tokens END)
        AS left
SET j.attempt = CASE WHEN j.status = 'queued' THEN j.attempt + 1 ELSE j.attempt END
SET j.status = 'running', j.holder = row.holder, j.beat = j.beat + 1
RETURN j.id AS id, j.task AS task, j.queue AS queue, j.attempt AS attempt, j.holder AS holder, j.kind AS kind,
    d.id AS document, j.context AS context, j.options AS options, j.notes AS notes, batches, bulk, left
ORDER BY id
