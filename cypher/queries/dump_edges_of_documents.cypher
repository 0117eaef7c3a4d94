// Everything that leaves the given documents, with every property of any kind of it.
// params: ids
// returns: leaving, kind, label, reached
// index: document_id
UNWIND $ids AS wanted
MATCH (d:Document {id: wanted})-[r]->(n)
RETURN d.id AS leaving, type(r) AS kind, labels(n)[0] AS label, n.id AS reached
ORDER BY leaving, kind, label, reached
