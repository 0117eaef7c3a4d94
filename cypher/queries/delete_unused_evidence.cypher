// Deletes those of the pieces of evidence that nothing rests on.
// params: rows [{id}]
// returns: nothing
// index: evidence_id
UNWIND $rows AS row
MATCH (e:Evidence {id: row.id})
WHERE NOT EXISTS { (e)<--() }
DETACH DELETE e
