// Deletes jobs.
// params: rows [{id}]
// returns: nothing
// index: job_id
UNWIND $rows AS row
MATCH (j:Job {id: row.id})
DETACH DELETE j
