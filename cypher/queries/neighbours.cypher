// What nodes touch in some graphs: of each node its name, how many facts it has, and the first `cap` of them by id,
// as parallel lists. Nodes without facts there are left out.
// params: ids, graphs, cap
// returns: id, name, degree, facts, others, predicates, away
// index: entity_id, literal_id
UNWIND $ids AS wanted
OPTIONAL MATCH (e:Entity {id: wanted})
OPTIONAL MATCH (l:Literal {id: wanted})
WITH coalesce(e, l) AS n
WHERE n IS NOT NULL
MATCH (n)-[f:FACT]-(o)
WHERE f.graph IN $graphs
WITH n, f, o ORDER BY f.id
WITH n, count(f) AS degree, collect(f.id)[0..$cap] AS facts, collect(o.id)[0..$cap] AS others,
    collect(f.predicate)[0..$cap] AS predicates, collect(startNode(f).id = n.id)[0..$cap] AS away
RETURN n.id AS id, n.name AS name, degree, facts, others, predicates, away
ORDER BY id
