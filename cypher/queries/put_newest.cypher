// Gives claims without a current verdict the best of those they have: a person's first, then
// one of all methods fused, then the latest, then by id.
// params: rows [{id}]
// returns: nothing
// index: claim_id
UNWIND $rows AS row
MATCH (v:Verdict)-[:OF]->(c:Claim {id: row.id})
WHERE NOT EXISTS { (c)-[:CURRENT]->(:Verdict) }
WITH c, v ORDER BY CASE WHEN v.method = 'human' THEN 0 WHEN v.method = 'fused' THEN 1 ELSE 2 END, v.createdAt DESC, v.id
WITH c, collect(v)[0] AS newest
MERGE (c)-[:CURRENT]->(newest)
