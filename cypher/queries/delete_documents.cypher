// Deletes documents.
// params: rows [{id}]
// returns: nothing
// index: document_id
UNWIND $rows AS row
MATCH (d:Document {id: row.id})
DETACH DELETE d
