// Ids of claims, documents, runs and batches that begin so, by id, at most `limit` of each; the beginning tells which.
// params: beginning, limit
// returns: id
// index: claim_id, document_id, run_id, batch_id
MATCH (n:Claim) WHERE n.id STARTS WITH $beginning RETURN n.id AS id ORDER BY id LIMIT $limit
UNION
MATCH (n:Document) WHERE n.id STARTS WITH $beginning RETURN n.id AS id ORDER BY id LIMIT $limit
UNION
MATCH (n:Run) WHERE n.id STARTS WITH $beginning RETURN n.id AS id ORDER BY id LIMIT $limit
UNION
MATCH (n:Batch) WHERE n.id STARTS WITH $beginning RETURN n.id AS id ORDER BY id LIMIT $limit
