// Says of verdicts whether what they rest on has changed since.
// params: rows [{id, stale}]
// returns: nothing
// index: verdict_id
UNWIND $rows AS row
MATCH (v:Verdict {id: row.id})
SET v.stale = row.stale
