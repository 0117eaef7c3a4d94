// The contexts that a document was checked against, the latest run first.
// params: document
// returns: id, name
// index: document_id
MATCH (d:Document {id: $document})<-[:IN]-(:Claim)<-[:OF]-(:Verdict)-[:BY]->(r:Run)-[:AGAINST]->(s:Document)
WITH s, max(r.finishedAt) AS latest
RETURN s.id AS id, s.name AS name
ORDER BY latest DESC, id
