// Deletes those of the batches that no job is left of.
// params: rows [{id}]
// returns: nothing
// index: batch_id
UNWIND $rows AS row
MATCH (b:Batch {id: row.id})
WHERE NOT EXISTS { (b)--() }
DELETE b
