// A page of a graph's facts by id: those after `after` ("" for the first page).
// params: graph, after, limit
// returns: id, graph, subject, predicate, name, object, rank, validFrom, validTo, qualifiers, source, retrievedAt,
//   document, spanStart, spanEnd
// index: fact_graph
MATCH (s:Entity)-[f:FACT {graph: $graph}]->(o)
WHERE f.id > $after
WITH s, f, o ORDER BY f.id LIMIT $limit
RETURN f.id AS id, f.graph AS graph, s.id AS subject, f.predicate AS predicate, f.name AS name, o.id AS object,
    f.rank AS rank, f.validFrom AS validFrom, f.validTo AS validTo, f.qualifiers AS qualifiers, f.source AS source,
    f.retrievedAt AS retrievedAt, f.document AS document, f.spanStart AS spanStart, f.spanEnd AS spanEnd
ORDER BY id
