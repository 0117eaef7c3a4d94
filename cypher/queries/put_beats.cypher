// Counts up the beat of running tasks of these holders, so that others see that somebody works on them.
// params: rows [{id, holder}]
// returns: id
// index: task_id
UNWIND $rows AS row
MATCH (t:Task {id: row.id})
SET t.stage = t.stage
WITH row, t
WHERE t.status = 'running' AND t.holder = row.holder
SET t.beat = t.beat + 1
RETURN t.id AS id
ORDER BY id
