// Explains runs as a whole: the edits that would make their claims say what the evidence says, in words, and what a
// language model says of them. Runs that are not there are passed over.
// params: rows [{id, edits, explanation}] where id is the run's
// returns: nothing
// index: run_id
UNWIND $rows AS row
MATCH (r:Run {id: row.id})
SET r.edits = row.edits, r.explanation = row.explanation
