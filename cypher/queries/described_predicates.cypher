// Those of the predicates whose definition is known.
// params: ids
// returns: id, name
// index: predicate_id
UNWIND $ids AS wanted
MATCH (p:Predicate {id: wanted})
WHERE p.source IS NOT NULL
RETURN p.id AS id, p.name AS name
ORDER BY id
