// Names of predicates.
// params: ids
// returns: id, name
// index: predicate_id
UNWIND $ids AS wanted
MATCH (p:Predicate {id: wanted})
RETURN p.id AS id, p.name AS name
ORDER BY id
