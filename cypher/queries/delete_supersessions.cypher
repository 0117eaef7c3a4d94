// Lets verdicts that were superseded hold again: nothing supersedes them any more.
// params: rows [{id}]
// returns: nothing
// index: verdict_id
UNWIND $rows AS row
MATCH (:Verdict)-[old:SUPERSEDES]->(v:Verdict {id: row.id})
DELETE old
