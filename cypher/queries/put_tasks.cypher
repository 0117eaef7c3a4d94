// Writes tasks of jobs that are there, waiting to be taken; one that is there stays as it is.
// params: rows [{id, job, stage, part, queue}]
// returns: nothing
// index: task_id, job_id
UNWIND $rows AS row
MATCH (j:Job {id: row.job})
MERGE (t:Task {id: row.id})
ON CREATE SET t.stage = row.stage, t.part = row.part, t.queue = row.queue, t.status = 'queued', t.attempt = 0,
    t.beat = 0, t.holder = null, t.error = null, t.seconds = 0.0
MERGE (t)-[:STEP_OF]->(j)
