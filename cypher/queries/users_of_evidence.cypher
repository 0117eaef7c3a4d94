// Who rests on pieces of evidence: verdicts, and answers.
// params: ids
// returns: evidence, user
// index: evidence_id
UNWIND $ids AS wanted
MATCH (u)-->(e:Evidence {id: wanted})
RETURN e.id AS evidence, u.id AS user
ORDER BY evidence, user
