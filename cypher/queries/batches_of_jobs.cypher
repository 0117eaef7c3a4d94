// The batches that jobs are part of.
// params: ids
// returns: id
// index: job_id
UNWIND $ids AS wanted
MATCH (j:Job {id: wanted})-[:PART_OF]->(b:Batch)
RETURN DISTINCT b.id AS id
ORDER BY id
