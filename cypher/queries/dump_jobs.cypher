// A page of all jobs with every property, in the order of their ids.
// params: after, limit
// returns: id, kind, context, options, notes, status, stage, error, seconds, calls, tokens, createdAt, finishedAt
// index: job_id
MATCH (j:Job)
WHERE j.id > $after
RETURN j.id AS id, j.kind AS kind, j.context AS context, j.options AS options, j.notes AS notes, j.status AS status,
    j.stage AS stage, j.error AS error, j.seconds AS seconds, j.calls AS calls, j.tokens AS tokens,
    j.createdAt AS createdAt, j.finishedAt AS finishedAt
ORDER BY id
LIMIT $limit
