// Joins claims to the entities their subject and object were linked to. `entities` are all those of the role (one, or
// one a graph): they replace the old ones, and a recorded NIL.
// params: rows [{id, role, mention, entity, entities, score, margin}] where id is the claim's
// returns: nothing
// index: claim_id, entity_id
UNWIND $rows AS row
MATCH (c:Claim {id: row.id})
SET c.subjectNil = CASE WHEN row.role = 'subject' THEN false ELSE c.subjectNil END,
    c.objectNil = CASE WHEN row.role = 'object' THEN false ELSE c.objectNil END
WITH row, c
MATCH (e:Entity {id: row.entity})
OPTIONAL MATCH (c)-[old:LINKED {role: row.role}]->(other:Entity)
WHERE NOT other.id IN row.entities
FOREACH (x IN CASE WHEN old IS NULL THEN [] ELSE [old] END | DELETE x)
MERGE (c)-[link:LINKED {role: row.role}]->(e)
SET link.mention = row.mention, link.score = row.score, link.margin = row.margin
