// Ids of batches that begin so, by id, at most `limit`.
// params: beginning, limit
// returns: id
// index: none
MATCH (b:Batch)
WHERE b.id STARTS WITH $beginning
RETURN b.id AS id
ORDER BY id
LIMIT $limit
