// Puts the parked tasks of batches back in the queue, their attempts counted anew, and their jobs to work.
// params: rows [{id}] where id is the batch's
// returns: nothing
// index: batch_id
UNWIND $rows AS row
MATCH (b:Batch {id: row.id})<-[:PART_OF]-(j:Job)
WHERE j.status = 'parked'
WITH j ORDER BY j.id
SET j.kind = j.kind
WITH j
MATCH (j)<-[:STEP_OF]-(t:Task)
WITH j, t ORDER BY t.id
SET t.part = t.part
WITH j, t
WHERE t.status = 'parked'
SET t.status = 'queued', t.attempt = 0, t.beat = t.beat + 1, j.status = 'open', j.error = null
