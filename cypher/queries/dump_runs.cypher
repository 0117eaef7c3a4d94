// A page of all runs with every property, in the order of their ids.
// params: after, limit
// returns: id, name, method, config, model, promptHash, startedAt, finishedAt, status, edits, explanation
// index: run_id
MATCH (r:Run)
WHERE r.id > $after
RETURN r.id AS id, r.name AS name, r.method AS method, r.config AS config, r.model AS model, r.promptHash AS promptHash,
    r.startedAt AS startedAt, r.finishedAt AS finishedAt, r.status AS status,
    r.edits AS edits, r.explanation AS explanation
ORDER BY id
LIMIT $limit
