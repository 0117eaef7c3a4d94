// Puts the parked tasks of batches back in the queue, and of jobs that ended as failed the tasks that said so, their
// attempts counted anew, and their jobs to work.
// params: rows [{id}] where id is the batch's
// returns: nothing
// index: batch_id
UNWIND $rows AS row
MATCH (b:Batch {id: row.id})<-[:PART_OF]-(j:Job)
WHERE j.status = 'parked' OR j.status = 'failed'
WITH j, j.status = 'failed' AS ended ORDER BY j.id
SET j.kind = j.kind
WITH j, ended
MATCH (j)<-[:STEP_OF]-(t:Task)
WITH j, ended, t ORDER BY t.id
SET t.part = t.part
WITH j, ended, t
WHERE t.status = 'parked' OR (ended AND t.status = 'done' AND t.error IS NOT NULL)
SET t.status = 'queued', t.attempt = 0, t.beat = t.beat + 1, j.status = 'open', j.error = null, j.finishedAt = null,
    j.stage = t.stage
