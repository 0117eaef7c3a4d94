// The verdicts on a document that hold, are not a person's and are marked stale, each with what its run was given.
// params: document
// returns: id, claim, document, outcome, stale, run, method, config, finishedAt
// index: document_id
MATCH (v:Verdict)<-[:CURRENT]-(c:Claim)-[:IN]->(d:Document {id: $document})
WHERE v.stale AND v.method <> 'human'
MATCH (v)-[:BY]->(r:Run)
RETURN v.id AS id, c.id AS claim, d.id AS document, v.outcome AS outcome, v.stale AS stale, r.id AS run,
    r.method AS method, r.config AS config, r.finishedAt AS finishedAt
ORDER BY id
