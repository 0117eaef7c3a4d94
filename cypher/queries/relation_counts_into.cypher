// Relations of the facts of some graphs that go into entities, and how many facts each has.
// params: ids, graphs
// returns: entity, predicate, name, facts
// index: entity_id
UNWIND $ids AS wanted
MATCH (s:Entity)-[f:FACT]->(e:Entity {id: wanted})
WHERE f.graph IN $graphs
WITH e.id AS entity, f.predicate AS predicate, min(f.name) AS name, count(f) AS facts
RETURN entity, predicate, name, facts
ORDER BY entity, predicate
