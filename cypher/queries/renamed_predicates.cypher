// Predicates of a graph that the store knows as a named entity of the same id, where the names differ: RDF describes
// a property like any other thing, often after the facts that use it.
// params: graph
// returns: id, name
// index: entity_id
MATCH (p:Predicate)
MATCH (e:Entity {id: p.id})
WHERE $graph IN e.graphs AND e.name <> p.name
RETURN p.id AS id, e.name AS name
ORDER BY id
