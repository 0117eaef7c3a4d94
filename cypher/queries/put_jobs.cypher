// Writes jobs; one that is there stays as it is.
// params: rows [{id, kind, context, options, notes, stage, at}]
// returns: nothing
// index: job_id
UNWIND $rows AS row
MERGE (j:Job {id: row.id})
ON CREATE SET j.kind = row.kind, j.context = row.context, j.options = row.options, j.notes = row.notes, j.status = 'open',
    j.stage = row.stage, j.error = null, j.seconds = 0.0, j.calls = 0, j.tokens = 0, j.createdAt = row.at,
    j.finishedAt = null
