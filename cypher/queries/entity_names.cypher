// Names of those of the entities that stand in a graph.
// params: ids, graph
// returns: id, name
// index: entity_id
UNWIND $ids AS wanted
MATCH (e:Entity {id: wanted})
WHERE $graph IN e.graphs
RETURN e.id AS id, e.name AS name
ORDER BY id
