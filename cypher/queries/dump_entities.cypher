// A page of all entities with every property, in the order of their ids.
// params: after, limit
// returns: id, name, foldedName, aliases, description, source, searchText, graphs
// index: entity_id
MATCH (e:Entity)
WHERE e.id > $after
RETURN e.id AS id, e.name AS name, e.foldedName AS foldedName, e.aliases AS aliases, e.description AS description, e.source AS source,
    e.searchText AS searchText, e.graphs AS graphs
ORDER BY id
LIMIT $limit
