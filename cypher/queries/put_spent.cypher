// Adds what work on a running job has cost to the job and its active batches, and pauses batches that are at their
// budget. Locks as everywhere: job, batches by id.
// params: rows [{id, holder, seconds, calls, tokens}] where id is the job's
// returns: nothing
// index: job_id
UNWIND $rows AS row
MATCH (j:Job {id: row.id})
SET j.kind = j.kind
WITH row, j
WHERE j.status = 'running' AND j.holder = row.holder
SET j.seconds = j.seconds + row.seconds, j.calls = j.calls + row.calls, j.tokens = j.tokens + row.tokens
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
