// The claims that speak about entities or are linked to them.
// params: ids (of entities)
// returns: id
// index: entity_id
UNWIND $ids AS wanted
MATCH (e:Entity {id: wanted})<-[:SUBJECT|OBJECT|LINKED]-(c:Claim)
RETURN DISTINCT c.id AS id
