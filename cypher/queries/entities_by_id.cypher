// Entities of some ids; ids that are no entity are left out.
// params: ids
// returns: id, name, aliases, description, source, graphs
// index: entity_id
UNWIND $ids AS wanted
MATCH (e:Entity {id: wanted})
RETURN e.id AS id, e.name AS name, e.aliases AS aliases, e.description AS description, e.source AS source,
    e.graphs AS graphs
ORDER BY id
