// Deletes the records of graphs, and the predicates that no other graph uses.
// params: rows [{id}]
// returns: nothing
// index: graph_id
UNWIND $rows AS row
MATCH (g:Graph {id: row.id})
OPTIONAL MATCH (g)-[:USES]->(p:Predicate)
WHERE NOT EXISTS { MATCH (p)<-[:USES]-(other:Graph) WHERE other.id <> g.id }
DETACH DELETE p, g
