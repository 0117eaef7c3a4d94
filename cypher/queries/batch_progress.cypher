// The latest batches, newest first, or one, with how many of their jobs are in which state and when the last ended.
// params: id, limit
// returns: id, kind, state, reason, createdAt, seconds, calls, tokens, maxSeconds, maxCalls, maxTokens, total, queued,
//   running, done, failed, parked, finishedAt
// index: none
MATCH (b:Batch)
WHERE $id IS NULL OR b.id = $id
WITH b ORDER BY b.createdAt DESC, b.id LIMIT $limit
OPTIONAL MATCH (b)<-[:PART_OF]-(j:Job)
WITH b, j.status AS status, j.finishedAt AS finishedAt // read once: a job may change while they are counted
WITH b, count(status) AS total, sum(CASE WHEN status = 'queued' THEN 1 ELSE 0 END) AS queued,
    sum(CASE WHEN status = 'running' THEN 1 ELSE 0 END) AS running,
    sum(CASE WHEN status = 'done' THEN 1 ELSE 0 END) AS done,
    sum(CASE WHEN status = 'failed' THEN 1 ELSE 0 END) AS failed,
    sum(CASE WHEN status = 'parked' THEN 1 ELSE 0 END) AS parked, max(finishedAt) AS finishedAt
RETURN b.id AS id, b.kind AS kind, b.state AS state, b.reason AS reason, b.createdAt AS createdAt,
    b.seconds AS seconds, b.calls AS calls, b.tokens AS tokens, b.maxSeconds AS maxSeconds, b.maxCalls AS maxCalls,
    b.maxTokens AS maxTokens, total, queued, running, done, failed, parked, finishedAt
ORDER BY createdAt DESC, id
