// A page of all claims with every property, in the order of their ids.
// params: after, limit
// returns: id, name, text, subject, predicate, object, statement, spanStart, spanEnd, subjectStart, subjectEnd,
//   predicateStart, predicateEnd, objectStart, objectEnd, subjectNil, objectNil, foldedSubject, foldedObject
// index: claim_id
MATCH (c:Claim)
WHERE c.id > $after
RETURN c.id AS id, c.name AS name, c.text AS text, c.subject AS subject, c.predicate AS predicate, c.object AS object,
    c.statement AS statement,
    c.spanStart AS spanStart, c.spanEnd AS spanEnd, c.subjectStart AS subjectStart, c.subjectEnd AS subjectEnd,
    c.predicateStart AS predicateStart, c.predicateEnd AS predicateEnd, c.objectStart AS objectStart,
    c.objectEnd AS objectEnd, c.subjectNil AS subjectNil, c.objectNil AS objectNil,
    c.foldedSubject AS foldedSubject, c.foldedObject AS foldedObject
ORDER BY id
LIMIT $limit
