// Deletes those of the predicates that no graph uses.
// params: rows [{id}]
// returns: nothing
// index: predicate_id
UNWIND $rows AS row
MATCH (p:Predicate {id: row.id})
WHERE NOT EXISTS { (p)--() }
DELETE p
