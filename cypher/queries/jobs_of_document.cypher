// The jobs about a document, or with it among their contexts.
// params: id
// returns: id
// index: document_id, job_context
MATCH (j:Job)-[:CHECKS]->(d:Document {id: $id})
RETURN j.id AS id
UNION
MATCH (j:Job) WHERE j.context CONTAINS $id
RETURN j.id AS id
