// Tasks in one state, queued or running, of batches that are active.
// params: status, queues (those that count; null is all), limit
// returns: id, job, stage, part, queue, status, attempt, beat
// index: task_status
MATCH (t:Task {status: $status})-[:STEP_OF]->(j:Job)
WHERE ($queues IS NULL OR t.queue IN $queues)
    AND EXISTS { MATCH (j)-[:PART_OF]->(b:Batch) WHERE b.state = 'active' }
RETURN t.id AS id, j.id AS job, t.stage AS stage, t.part AS part, t.queue AS queue, t.status AS status,
    t.attempt AS attempt, t.beat AS beat
ORDER BY id
LIMIT $limit
