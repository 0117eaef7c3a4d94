// Which of some entities a fact of some graphs leads from to which others of them. Only facts that go out are walked:
// hubs have millions that come in, few that go out.
// params: ids, others, graphs
// returns: subject, object
// index: entity_id
UNWIND $ids AS wanted
MATCH (s:Entity {id: wanted})-[f:FACT]->(o:Entity)
WHERE o.id IN $others AND f.graph IN $graphs
RETURN DISTINCT s.id AS subject, o.id AS object
ORDER BY subject, object
