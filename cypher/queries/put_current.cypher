// Makes verdicts the ones that hold for their claims, superseding what held before. A person's verdict yields only to
// a person's, that of all methods fused to no single method's, and a verdict once superseded does not come back, so
// running old work again changes nothing.
// At most one row a claim. Setting the claim's text to itself locks the claim against a second writer.
// params: rows [{id, verdict}] where id is the claim's
// returns: nothing
// index: claim_id, verdict_id
UNWIND $rows AS row
MATCH (c:Claim {id: row.id})
SET c.text = c.text
WITH row, c
MATCH (v:Verdict {id: row.verdict})
OPTIONAL MATCH (c)-[link:CURRENT]->(old:Verdict)
WITH c, v, link, old
WHERE old IS NULL OR (old.id <> v.id AND (old.method <> 'human' OR v.method = 'human')
    AND (old.method <> 'fused' OR v.method = 'fused' OR v.method = 'human')
    AND NOT EXISTS { (:Verdict)-[:SUPERSEDES]->(v) })
FOREACH (x IN CASE WHEN old IS NULL THEN [] ELSE [old] END | MERGE (v)-[:SUPERSEDES]->(x))
FOREACH (x IN CASE WHEN link IS NULL THEN [] ELSE [link] END | DELETE x)
MERGE (c)-[:CURRENT]->(v)
