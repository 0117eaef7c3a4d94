// A page of all batches with every property, in the order of their ids.
// params: after, limit
// returns: id, kind, options, bulk, state, reason, seconds, calls, tokens, maxSeconds, maxCalls, maxTokens, createdAt
// index: batch_id
MATCH (b:Batch)
WHERE b.id > $after
RETURN b.id AS id, b.kind AS kind, b.options AS options, b.bulk AS bulk, b.state AS state, b.reason AS reason,
    b.seconds AS seconds, b.calls AS calls, b.tokens AS tokens, b.maxSeconds AS maxSeconds, b.maxCalls AS maxCalls,
    b.maxTokens AS maxTokens, b.createdAt AS createdAt
ORDER BY id
LIMIT $limit
