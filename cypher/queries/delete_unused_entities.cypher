// Deletes those of the entities that stand in no graph and that nothing is joined to.
// params: rows [{id}]
// returns: nothing
// index: entity_id
UNWIND $rows AS row
MATCH (e:Entity {id: row.id})
WHERE size(e.graphs) = 0 AND NOT EXISTS { (e)--() }
DELETE e
