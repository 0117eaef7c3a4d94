// Deletes the texts about those of the entities that stand in no graph, unless something else uses them;
// evidence is a copy, and does without.
// params: rows [{id}]
// returns: nothing
// index: entity_id
UNWIND $rows AS row
MATCH (d:Document)-[:ABOUT]->(e:Entity {id: row.id})
WHERE size(e.graphs) = 0 AND NOT EXISTS { MATCH (d)<--(user) WHERE NOT user:Evidence }
    AND NOT EXISTS { MATCH (d)-[:ABOUT]->(other:Entity) WHERE size(other.graphs) > 0 }
DETACH DELETE d
