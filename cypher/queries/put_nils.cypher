// Records that a claim's subject or object was looked for and found to be no known entity.
// params: rows [{id, role, mention, score, margin}] where id is the claim's; only id and role are kept
// returns: nothing
// index: claim_id
UNWIND $rows AS row
MATCH (c:Claim {id: row.id})
SET c.subjectNil = CASE WHEN row.role = 'subject' THEN true ELSE c.subjectNil END,
    c.objectNil = CASE WHEN row.role = 'object' THEN true ELSE c.objectNil END
WITH row, c
OPTIONAL MATCH (c)-[old:LINKED {role: row.role}]->(:Entity)
FOREACH (x IN CASE WHEN old IS NULL THEN [] ELSE [old] END | DELETE x)
