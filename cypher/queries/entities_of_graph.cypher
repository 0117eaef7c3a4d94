// A page of the entities that stand in a graph by id: those after `after` ("" for the first page).
// params: graph, after, limit
// returns: id, graphs
// index: entity_id
MATCH (e:Entity)
WHERE e.id > $after AND $graph IN e.graphs
RETURN e.id AS id, e.graphs AS graphs
ORDER BY id
LIMIT $limit
