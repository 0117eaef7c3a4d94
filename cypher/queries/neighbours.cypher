// What nodes touch in some graphs: of each node its name, how many facts it has, and the first `cap` of them by id,
// as parallel lists. A node with `below` facts or more in the whole store is only counted: `away` is null then, and
// its facts are those of all graphs, since a count without a look at each fact costs nothing.
// params: graphs, cap, wanted [{id, below}]
// returns: id, name, degree, facts, others, predicates, relations, away
// index: entity_id, literal_id
UNWIND $wanted AS item
OPTIONAL MATCH (e:Entity {id: item.id})
OPTIONAL MATCH (l:Literal {id: item.id})
WITH coalesce(e, l) AS n, item.below AS below
WHERE n IS NOT NULL
WITH n, below, COUNT { (n)-[:FACT]-() } AS total
CALL (n, below, total) {
    WITH n, below, total WHERE total >= below
    RETURN total AS degree, [] AS facts, [] AS others, [] AS predicates, [] AS relations, null AS away
    UNION
    WITH n, below, total WHERE total < below
    MATCH (n)-[f:FACT]-(o)
    WHERE f.graph IN $graphs
    WITH n, f, o ORDER BY f.id
    WITH n, count(f) AS degree, collect(f.id)[0..$cap] AS facts, collect(o.id)[0..$cap] AS others,
        collect(f.predicate)[0..$cap] AS predicates, collect(f.name)[0..$cap] AS relations,
        collect(startNode(f).id = n.id)[0..$cap] AS away
    RETURN degree, facts, others, predicates, relations, away
}
RETURN n.id AS id, n.name AS name, degree, facts, others, predicates, relations, away
ORDER BY id
