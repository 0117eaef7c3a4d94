// Says which documents tell about entities: encyclopedia summaries. Both must be there.
// params: rows [{id, entity}] where id is the document's
// returns: nothing
// index: document_id, entity_id
UNWIND $rows AS row
MATCH (d:Document {id: row.id})
MATCH (e:Entity {id: row.entity})
MERGE (d)-[:ABOUT]->(e)
