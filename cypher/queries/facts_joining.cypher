// Facts of some graphs that go out from one of `ids` into one of `others`. Only facts that go out are walked: hubs have
// millions that come in, few that go out.
// params: ids, others, graphs
// returns: id, graph, subject, predicate, name, object, rank, validFrom, validTo, qualifiers, source, retrievedAt,
//   document, spanStart, spanEnd
// index: entity_id
UNWIND $ids AS wanted
MATCH (s:Entity {id: wanted})-[f:FACT]->(o:Entity)
WHERE o.id IN $others AND f.graph IN $graphs
RETURN f.id AS id, f.graph AS graph, s.id AS subject, f.predicate AS predicate, f.name AS name, o.id AS object,
    f.rank AS rank, f.validFrom AS validFrom, f.validTo AS validTo, f.qualifiers AS qualifiers, f.source AS source,
    f.retrievedAt AS retrievedAt, f.document AS document, f.spanStart AS spanStart, f.spanEnd AS spanEnd
ORDER BY id
