// Deletes those of the literals that nothing is joined to.
// params: rows [{id}]
// returns: nothing
// index: literal_id
UNWIND $rows AS row
MATCH (l:Literal {id: row.id})
WHERE NOT EXISTS { (l)--() }
DELETE l
