// Claims of some ids; ids that are no claim are left out.
// params: ids
// returns: id, document, text, subject, predicate, object, statement, spanStart, spanEnd, subjectStart, subjectEnd,
//   predicateStart, predicateEnd, objectStart, objectEnd
// index: claim_id
UNWIND $ids AS wanted
MATCH (c:Claim {id: wanted})-[:IN]->(d:Document)
RETURN c.id AS id, d.id AS document, c.text AS text, c.subject AS subject, c.predicate AS predicate,
    c.object AS object, c.statement AS statement, c.spanStart AS spanStart, c.spanEnd AS spanEnd, c.subjectStart AS subjectStart,
    c.subjectEnd AS subjectEnd, c.predicateStart AS predicateStart, c.predicateEnd AS predicateEnd,
    c.objectStart AS objectStart, c.objectEnd AS objectEnd
ORDER BY id
