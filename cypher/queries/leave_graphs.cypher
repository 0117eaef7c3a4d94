// Takes graphs out of those that entities stand in.
// params: rows [{id, graphs}]
// returns: nothing
// index: entity_id
UNWIND $rows AS row
MATCH (e:Entity {id: row.id})
SET e.graphs = [graph IN e.graphs WHERE NOT graph IN row.graphs]
