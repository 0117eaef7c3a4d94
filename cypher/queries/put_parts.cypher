// Makes jobs part of batches; both are there.
// params: rows [{id, batch}] where id is the job's
// returns: nothing
// index: job_id, batch_id
UNWIND $rows AS row
MATCH (j:Job {id: row.id})
MATCH (b:Batch {id: row.batch})
MERGE (j)-[:PART_OF]->(b)
