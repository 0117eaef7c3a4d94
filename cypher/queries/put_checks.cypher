// Says which documents jobs are about; both are there.
// params: rows [{id, document}] where id is the job's
// returns: nothing
// index: job_id, document_id
UNWIND $rows AS row
MATCH (j:Job {id: row.id})
MATCH (d:Document {id: row.document})
MERGE (j)-[:CHECKS]->(d)
