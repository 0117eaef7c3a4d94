// Joins runs to what they were given to check against: a document as context, stored graphs. Others are passed over.
// params: rows [{id, target}] where id is the run's
// returns: nothing
// index: run_id, document_id, graph_id
UNWIND $rows AS row
MATCH (r:Run {id: row.id})
OPTIONAL MATCH (d:Document {id: row.target})
OPTIONAL MATCH (g:Graph {id: row.target})
WITH r, coalesce(d, g) AS target
WHERE target IS NOT NULL
MERGE (r)-[:AGAINST]->(target)
