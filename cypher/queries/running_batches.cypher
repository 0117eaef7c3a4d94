// Batches of which a task is being worked on.
// params: none
// returns: id
// index: task_status
MATCH (t:Task {status: 'running'})-[:STEP_OF]->(j:Job)-[:PART_OF]->(b:Batch)
RETURN DISTINCT b.id AS id
ORDER BY id
