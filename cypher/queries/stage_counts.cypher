// How many tasks of each stage of a batch are in which state.
// params: id
// returns: stage, queued, running, done, parked
// index: batch_id
MATCH (b:Batch {id: $id})<-[:PART_OF]-(j:Job)<-[:STEP_OF]-(t:Task)
WITH t.stage AS stage, t.status AS status
RETURN stage, sum(CASE WHEN status = 'queued' THEN 1 ELSE 0 END) AS queued,
    sum(CASE WHEN status = 'running' THEN 1 ELSE 0 END) AS running,
    sum(CASE WHEN status = 'done' THEN 1 ELSE 0 END) AS done,
    sum(CASE WHEN status = 'parked' THEN 1 ELSE 0 END) AS parked
ORDER BY stage
