// Says what is asked of batches, and why. Returns those that are there.
// params: rows [{id, state, reason}]
// returns: id
// index: batch_id
UNWIND $rows AS row
MATCH (b:Batch {id: row.id})
SET b.state = row.state, b.reason = row.reason
RETURN b.id AS id
ORDER BY id
