// In how many facts, of any graph, each of some entities stands.
// params: ids
// returns: id, degree
// index: entity_id
UNWIND $ids AS wanted
MATCH (e:Entity {id: wanted})
RETURN e.id AS id, COUNT { (e)-[:FACT]-() } AS degree
ORDER BY id
