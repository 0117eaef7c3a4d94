// Joins claims to the entities their subject and object were linked to, one for each role: a new link replaces the
// old one, and a recorded NIL.
// params: rows [{id, role, mention, entity, score, margin}] where id is the claim's
// returns: nothing
// index: claim_id, entity_id
UNWIND $rows AS row
MATCH (c:Claim {id: row.id})
SET c.subjectNil = CASE WHEN row.role = 'subject' THEN false ELSE c.subjectNil END,
    c.objectNil = CASE WHEN row.role = 'object' THEN false ELSE c.objectNil END
WITH row, c
MATCH (e:Entity {id: row.entity})
OPTIONAL MATCH (c)-[old:LINKED {role: row.role}]->(other:Entity)
WHERE other.id <> e.id
FOREACH (x IN CASE WHEN old IS NULL THEN [] ELSE [old] END | DELETE x)
MERGE (c)-[link:LINKED {role: row.role}]->(e)
SET link.mention = row.mention, link.score = row.score, link.margin = row.margin
