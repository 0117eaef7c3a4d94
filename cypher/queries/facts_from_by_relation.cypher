// Facts of some graphs that go out from entities, of some relations each: at most `limit` for each row, the first by id.
// params: graphs, limit, wanted [{id, predicates}]
// returns: id, graph, subject, predicate, name, object, rank, validFrom, validTo, qualifiers, source, retrievedAt,
//   document, spanStart, spanEnd
// index: entity_id
UNWIND $wanted AS wanted
CALL (wanted) {
    MATCH (s:Entity {id: wanted.id})-[f:FACT]->(o)
    WHERE f.graph IN $graphs AND f.predicate IN wanted.predicates
    RETURN f.id AS id, f.graph AS graph, s.id AS subject, f.predicate AS predicate, f.name AS name, o.id AS object,
        f.rank AS rank, f.validFrom AS validFrom, f.validTo AS validTo, f.qualifiers AS qualifiers, f.source AS source,
        f.retrievedAt AS retrievedAt, f.document AS document, f.spanStart AS spanStart, f.spanEnd AS spanEnd
    ORDER BY id LIMIT $limit
}
RETURN id, graph, subject, predicate, name, object, rank, validFrom, validTo, qualifiers, source, retrievedAt, document,
    spanStart, spanEnd
ORDER BY id
