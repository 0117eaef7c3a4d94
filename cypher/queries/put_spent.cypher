// Adds what work on a running task has cost to the task, its job and the active batches of it, and pauses batches that
// are at their budget. Locks as everywhere: job, task, batches by id.
// params: rows [{id, holder, seconds, calls, tokens}] where id is the task's
// returns: nothing
// index: task_id
UNWIND $rows AS row
MATCH (t:Task {id: row.id})-[:STEP_OF]->(j:Job)
SET j.kind = j.kind
SET t.stage = t.stage
WITH row, t, j
WHERE t.status = 'running' AND t.holder = row.holder
SET t.seconds = t.seconds + row.seconds, j.seconds = j.seconds + row.seconds, j.calls = j.calls + row.calls,
    j.tokens = j.tokens + row.tokens
WITH row, j
MATCH (j)-[:PART_OF]->(b:Batch)
WITH row, b ORDER BY b.id
SET b.kind = b.kind
WITH row, b
WHERE b.state = 'active'
SET b.seconds = b.seconds + row.seconds, b.calls = b.calls + row.calls, b.tokens = b.tokens + row.tokens
WITH b, CASE WHEN b.seconds >= b.maxSeconds THEN toString(b.maxSeconds) + ' seconds of work'
    WHEN b.calls >= b.maxCalls THEN toString(b.maxCalls) + ' calls of a language model'
    WHEN b.tokens >= b.maxTokens THEN toString(b.maxTokens) + ' tokens' ELSE null END AS gone
WHERE gone IS NOT NULL
SET b.state = 'paused', b.reason = 'the budget of ' + gone + ' is spent'
