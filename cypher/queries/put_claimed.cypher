// Gives queued tasks of active batches to whoever asks first: setting the stage to itself locks the task against a
// second one. A holder is unique to the asking, so one who asks again since the answer was lost is told once more.
// `batches`, `bulk` and `left` (tokens, -1 for no limit) are those of the active batches, by id.
// params: rows [{id, holder}]
// returns: id, stage, part, queue, attempt, holder, job, kind, document, context, options, notes,
//   batches, bulk, left
// index: task_id
UNWIND $rows AS row
MATCH (t:Task {id: row.id})
SET t.stage = t.stage
WITH row, t
WHERE t.status = 'queued' OR (t.status = 'running' AND t.holder = row.holder)
MATCH (t)-[:STEP_OF]->(j:Job)-[:PART_OF]->(b:Batch)
WHERE b.state = 'active'
OPTIONAL MATCH (j)-[:CHECKS]->(d:Document)
WITH row, t, j, d, b ORDER BY b.id
WITH row, t, j, d, collect(b.id) AS batches, collect(b.bulk) AS bulk,
    collect(CASE WHEN b.maxTokens IS NULL THEN -1 WHEN b.tokens > b.maxTokens THEN 0 ELSE b.maxTokens - b.tokens END)
        AS left
SET t.attempt = CASE WHEN t.status = 'queued' THEN t.attempt + 1 ELSE t.attempt END
SET t.status = 'running', t.holder = row.holder, t.beat = t.beat + 1
RETURN t.id AS id, t.stage AS stage, t.part AS part, t.queue AS queue, t.attempt AS attempt, t.holder AS holder,
    j.id AS job, j.kind AS kind, d.id AS document, j.context AS context, j.options AS options, j.notes AS notes, batches,
    bulk, left
ORDER BY id
