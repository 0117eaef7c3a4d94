// Names of entities; ids that are no entity are left out.
// params: ids
// returns: id, name
// index: entity_id
UNWIND $ids AS wanted
MATCH (e:Entity {id: wanted})
RETURN e.id AS id, e.name AS name
