// The documents that tell about entities of some ids.
// params: ids
// returns: entity, id, text, name, source, language, createdAt
// index: entity_id
UNWIND $ids AS wanted
MATCH (e:Entity {id: wanted})<-[:ABOUT]-(d:Document)
RETURN e.id AS entity, d.id AS id, d.text AS text, d.name AS name, d.source AS source, d.language AS language,
    d.createdAt AS createdAt
ORDER BY entity, id
