// Deletes claims with their corrections and links.
// params: rows [{id}]
// returns: nothing
// index: claim_id
UNWIND $rows AS row
MATCH (c:Claim {id: row.id})
OPTIONAL MATCH (k:Correction)-[:FIXES]->(c)
DETACH DELETE k, c
