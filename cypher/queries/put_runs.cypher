// Writes runs; one that is there keeps when it was first started, and its explanation.
// params: rows [{id, name, method, config, model, promptHash, startedAt, finishedAt, status}]
// returns: nothing
// index: run_id
UNWIND $rows AS row
MERGE (r:Run {id: row.id})
ON CREATE SET r.name = row.name, r.startedAt = row.startedAt, r.edits = null, r.explanation = null
SET r.method = row.method, r.config = row.config, r.model = row.model, r.promptHash = row.promptHash,
    r.finishedAt = row.finishedAt, r.status = row.status
