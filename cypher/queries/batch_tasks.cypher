// The tasks of a batch that can be taken.
// params: id
// returns: id, job, stage, part, queue
// index: batch_id
MATCH (b:Batch {id: $id})<-[:PART_OF]-(j:Job)<-[:STEP_OF]-(t:Task)
WHERE t.status = 'queued'
RETURN t.id AS id, j.id AS job, t.stage AS stage, t.part AS part, t.queue AS queue
ORDER BY id
