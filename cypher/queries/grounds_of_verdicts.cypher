// What verdicts are of and by, with an evidence id for each piece they cite; evidence is null where they cite none.
// params: ids
// returns: verdict, claim, run, evidence
// index: verdict_id
UNWIND $ids AS wanted
MATCH (v:Verdict {id: wanted})-[:OF]->(c:Claim)
MATCH (v)-[:BY]->(r:Run)
OPTIONAL MATCH (v)-[:CITES]->(e:Evidence)
RETURN v.id AS verdict, c.id AS claim, r.id AS run, e.id AS evidence
ORDER BY verdict, evidence
