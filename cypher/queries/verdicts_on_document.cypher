// The verdicts on the claims of a document.
// params: id
// returns: id
// index: document_id
MATCH (v:Verdict)-[:OF]->(c:Claim)-[:IN]->(d:Document {id: $id})
RETURN v.id AS id
ORDER BY id
