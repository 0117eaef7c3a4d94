// Deletes those of the runs that no verdict is left of.
// params: rows [{id}]
// returns: nothing
// index: run_id
UNWIND $rows AS row
MATCH (r:Run {id: row.id})
WHERE NOT EXISTS { (r)<--() }
DETACH DELETE r
