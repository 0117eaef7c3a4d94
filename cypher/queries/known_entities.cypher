// Those of some ids that are entities.
// params: ids
// returns: id
// index: entity_id
UNWIND $ids AS wanted
MATCH (e:Entity {id: wanted})
RETURN e.id AS id
ORDER BY id
