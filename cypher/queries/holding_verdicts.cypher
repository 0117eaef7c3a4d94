// A page of the verdicts that hold and are not a person's, each with what its run was given: those with ids from
// `first` up to but not including `before`.
// params: first, before
// returns: id, claim, document, outcome, stale, run, method, config, finishedAt
// index: verdict_id
MATCH (v:Verdict)<-[:CURRENT]-(c:Claim)-[:IN]->(d:Document)
WHERE v.id >= $first AND v.id < $before AND v.method <> 'human'
MATCH (v)-[:BY]->(r:Run)
RETURN v.id AS id, c.id AS claim, d.id AS document, v.outcome AS outcome, v.stale AS stale, r.id AS run,
    r.method AS method, r.config AS config, r.finishedAt AS finishedAt
ORDER BY id
