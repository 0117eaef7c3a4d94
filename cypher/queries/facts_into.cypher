// Facts of some graphs that go into entities: at most `limit` for each entity, the first by id.
// params: ids, graphs, limit
// returns: id, graph, subject, predicate, name, object, rank, validFrom, validTo, qualifiers, source, retrievedAt,
//   document, spanStart, spanEnd
// index: entity_id
UNWIND $ids AS wanted
CALL (wanted) {
    MATCH (s:Entity)-[f:FACT]->(o:Entity {id: wanted})
    WHERE f.graph IN $graphs
    RETURN f.id AS id, f.graph AS graph, s.id AS subject, f.predicate AS predicate, f.name AS name, o.id AS object,
        f.rank AS rank, f.validFrom AS validFrom, f.validTo AS validTo, f.qualifiers AS qualifiers, f.source AS source,
        f.retrievedAt AS retrievedAt, f.document AS document, f.spanStart AS spanStart, f.spanEnd AS spanEnd
    ORDER BY id LIMIT $limit
}
RETURN id, graph, subject, predicate, name, object, rank, validFrom, validTo, qualifiers, source, retrievedAt, document,
    spanStart, spanEnd
ORDER BY id
