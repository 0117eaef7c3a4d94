// One run.
// params: id
// returns: id, method, status
// index: run_id
MATCH (r:Run {id: $id})
RETURN r.id AS id, r.method AS method, r.status AS status
