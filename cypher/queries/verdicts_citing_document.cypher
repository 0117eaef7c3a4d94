// The verdicts that rest on a document as their context: on a sentence of it, or on a fact that was read from it.
// params: id
// returns: id
// index: document_id
MATCH (d:Document {id: $id})<-[:FROM]-(e:Evidence)<-[:CITES]-(v:Verdict)
RETURN DISTINCT v.id AS id
ORDER BY id
