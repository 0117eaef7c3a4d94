// Jobs in one state, queued or running, of batches that are active.
// params: status, queues (those that count; null is all), limit
// returns: id, task, queue, status, attempt, beat
// index: job_status
MATCH (j:Job {status: $status})
WHERE ($queues IS NULL OR j.queue IN $queues)
    AND EXISTS { MATCH (j)-[:PART_OF]->(b:Batch) WHERE b.state = 'active' }
RETURN j.id AS id, j.task AS task, j.queue AS queue, j.status AS status, j.attempt AS attempt, j.beat AS beat
ORDER BY id
LIMIT $limit
