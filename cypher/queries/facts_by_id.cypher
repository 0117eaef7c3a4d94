// Facts of some ids; ids that are no fact are left out.
// params: ids
// returns: id, graph, subject, predicate, name, object, rank, validFrom, validTo, qualifiers, source, retrievedAt,
//   document, spanStart, spanEnd
// index: fact_id
UNWIND $ids AS wanted
MATCH (s:Entity)-[f:FACT {id: wanted}]->(o)
RETURN f.id AS id, f.graph AS graph, s.id AS subject, f.predicate AS predicate, f.name AS name, o.id AS object,
    f.rank AS rank, f.validFrom AS validFrom, f.validTo AS validTo, f.qualifiers AS qualifiers, f.source AS source,
    f.retrievedAt AS retrievedAt, f.document AS document, f.spanStart AS spanStart, f.spanEnd AS spanEnd
ORDER BY id
