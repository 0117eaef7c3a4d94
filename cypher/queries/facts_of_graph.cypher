// A page of a graph's facts: those with ids from `first` up to but not including `before`, by id. Ids are hashes, so
// equal ranges hold equally many; a page of the first so many would be sorted anew each time.
// params: graph, first, before
// returns: id, graph, subject, predicate, name, object, rank, validFrom, validTo, qualifiers, source, retrievedAt,
//   document, spanStart, spanEnd
// index: fact_graph or fact_id
MATCH (s:Entity)-[f:FACT {graph: $graph}]->(o)
WHERE f.id >= $first AND f.id < $before
RETURN f.id AS id, f.graph AS graph, s.id AS subject, f.predicate AS predicate, f.name AS name, o.id AS object,
    f.rank AS rank, f.validFrom AS validFrom, f.validTo AS validTo, f.qualifiers AS qualifiers, f.source AS source,
    f.retrievedAt AS retrievedAt, f.document AS document, f.spanStart AS spanStart, f.spanEnd AS spanEnd
ORDER BY id
