// Deletes texts about entities from an address that now says something else, unless something uses them; evidence is a
// copy, and does without.
// params: rows [{id, source, document}] where id is the entity's and document the text that stays
// returns: nothing
// index: entity_id
UNWIND $rows AS row
MATCH (d:Document)-[:ABOUT]->(e:Entity {id: row.id})
WHERE d.source = row.source AND d.id <> row.document AND NOT EXISTS { MATCH (d)<--(user) WHERE NOT user:Evidence }
DETACH DELETE d
