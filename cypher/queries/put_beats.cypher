// Counts up the beat of running jobs of these holders, so that others see that somebody works on them.
// params: rows [{id, holder}]
// returns: id
// index: job_id
UNWIND $rows AS row
MATCH (j:Job {id: row.id})
SET j.kind = j.kind
WITH row, j
WHERE j.status = 'running' AND j.holder = row.holder
SET j.beat = j.beat + 1
RETURN j.id AS id
ORDER BY id
