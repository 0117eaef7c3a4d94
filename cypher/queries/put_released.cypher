// Puts running tasks back in the queue as if nobody had taken them. Returns them, to one who asks again too.
// params: rows [{id, holder}]
// returns: id
// index: task_id
UNWIND $rows AS row
MATCH (t:Task {id: row.id})
SET t.stage = t.stage
WITH row, t
WHERE t.holder = row.holder AND (t.status = 'running' OR t.status = 'queued')
FOREACH (x IN CASE WHEN t.status = 'running' THEN [1] ELSE [] END |
    SET t.status = 'queued', t.attempt = t.attempt - 1, t.beat = t.beat + 1)
RETURN t.id AS id
ORDER BY id
