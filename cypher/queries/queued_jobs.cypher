// The jobs of a batch that can be taken.
// params: id
// returns: id, task, queue
// index: batch_id
MATCH (b:Batch {id: $id})<-[:PART_OF]-(j:Job)
WHERE j.status = 'queued'
RETURN j.id AS id, j.task AS task, j.queue AS queue
ORDER BY id
