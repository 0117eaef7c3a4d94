// A page of all jobs with every property, in the order of their ids.
// params: after, limit
// returns: id, kind, context, options, notes, task, queue, status, attempt, beat, holder, error, seconds, calls, tokens,
//   createdAt, finishedAt
// index: job_id
MATCH (j:Job)
WHERE j.id > $after
RETURN j.id AS id, j.kind AS kind, j.context AS context, j.options AS options, j.notes AS notes, j.task AS task,
    j.queue AS queue, j.status AS status, j.attempt AS attempt, j.beat AS beat, j.holder AS holder, j.error AS error,
    j.seconds AS seconds, j.calls AS calls, j.tokens AS tokens, j.createdAt AS createdAt, j.finishedAt AS finishedAt
ORDER BY id
LIMIT $limit
