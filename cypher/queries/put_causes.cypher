// Says why verdicts that superseded others have another outcome: what changed in the graphs.
// params: rows [{id, before, cause}] where id is the newer verdict's
// returns: nothing
// index: verdict_id
UNWIND $rows AS row
MATCH (:Verdict {id: row.id})-[s:SUPERSEDES]->(:Verdict {id: row.before})
SET s.cause = row.cause
