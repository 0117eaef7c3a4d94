// Facts of a graph whose predicate goes by another name than they carry, the first by id.
// params: graph, predicate, name, limit
// returns: id, name
// index: fact_graph
MATCH ()-[f:FACT {graph: $graph}]->()
WHERE f.predicate = $predicate AND f.name <> $name
RETURN f.id AS id, $name AS name
ORDER BY id
LIMIT $limit
