// The facts that stand now between a thing of that name and others by a relation of that name.
// params: wanted [{id, subject, predicate}], id being whatever the row is about
// returns: id, object
// index: entity_name
UNWIND $wanted AS row
MATCH (s:Entity {name: row.subject})-[f:FACT {name: row.predicate}]->(o)
RETURN DISTINCT row.id AS id, o.name AS object
ORDER BY id, object
