// The facts whose subjects are the given entities, with every property.
// params: ids
// returns: leaving, kind, label, reached, id, graph, predicate, name, rank, validFrom, validTo, qualifiers, source,
//   retrievedAt, document, spanStart, spanEnd
// index: entity_id
UNWIND $ids AS wanted
MATCH (s:Entity {id: wanted})-[f]->(o)
RETURN s.id AS leaving, type(f) AS kind, labels(o)[0] AS label, o.id AS reached, f.id AS id, f.graph AS graph,
    f.predicate AS predicate, f.name AS name, f.rank AS rank, f.validFrom AS validFrom, f.validTo AS validTo,
    f.qualifiers AS qualifiers, f.source AS source, f.retrievedAt AS retrievedAt, f.document AS document,
    f.spanStart AS spanStart, f.spanEnd AS spanEnd
ORDER BY leaving, id
