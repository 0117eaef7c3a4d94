// Puts the parked and failed jobs of batches back in the queue, their attempts counted anew.
// params: rows [{id}] where id is the batch's
// returns: nothing
// index: batch_id
UNWIND $rows AS row
MATCH (b:Batch {id: row.id})<-[:PART_OF]-(j:Job)
WHERE j.status = 'parked' OR j.status = 'failed'
WITH j ORDER BY j.id
SET j.kind = j.kind
WITH j
WHERE j.status = 'parked' OR j.status = 'failed'
SET j.status = 'queued', j.attempt = 0, j.beat = j.beat + 1, j.error = null, j.finishedAt = null
