// A page of all tasks with every property, in the order of their ids.
// params: after, limit
// returns: id, stage, part, queue, status, attempt, beat, holder, error, seconds
// index: task_id
MATCH (t:Task)
WHERE t.id > $after
RETURN t.id AS id, t.stage AS stage, t.part AS part, t.queue AS queue, t.status AS status, t.attempt AS attempt,
    t.beat AS beat, t.holder AS holder, t.error AS error, t.seconds AS seconds
ORDER BY id
LIMIT $limit
