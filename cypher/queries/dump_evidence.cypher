// A page of all evidence with every property, in the order of their ids.
// params: after, limit
// returns: id, name, factId, text, subject, predicate, object, source, document, rank, spanStart, spanEnd
// index: evidence_id
MATCH (e:Evidence)
WHERE e.id > $after
RETURN e.id AS id, e.name AS name, e.factId AS factId, e.text AS text, e.subject AS subject, e.predicate AS predicate,
    e.object AS object, e.source AS source, e.document AS document, e.rank AS rank, e.spanStart AS spanStart,
    e.spanEnd AS spanEnd
ORDER BY id
LIMIT $limit
