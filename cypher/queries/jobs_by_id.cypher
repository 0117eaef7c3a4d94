// Which of the ids are jobs of the store.
// params: ids
// returns: id
// index: job_id
UNWIND $ids AS id
MATCH (j:Job {id: id})
RETURN j.id AS id
ORDER BY id
