// Writes claims of documents that are there; `subjectNode` and `objectNode` are the ids of what they speak about.
// params: rows [{id, name, document, text, subject, predicate, object, statement, spanStart, spanEnd, subjectStart,
//   subjectEnd, predicateStart, predicateEnd, objectStart, objectEnd, subjectNode, objectNode,
//   foldedSubject, foldedObject}]
// returns: nothing
// index: claim_id, document_id, entity_id, literal_id
UNWIND $rows AS row
MATCH (d:Document {id: row.document})
MERGE (c:Claim {id: row.id})
SET c.name = row.name, c.text = row.text, c.subject = row.subject, c.predicate = row.predicate, c.object = row.object,
    c.statement = row.statement, c.foldedSubject = row.foldedSubject, c.foldedObject = row.foldedObject,
    c.spanStart = row.spanStart, c.spanEnd = row.spanEnd,
    c.subjectStart = row.subjectStart, c.subjectEnd = row.subjectEnd,
    c.predicateStart = row.predicateStart, c.predicateEnd = row.predicateEnd,
    c.objectStart = row.objectStart, c.objectEnd = row.objectEnd
MERGE (c)-[:IN]->(d)
WITH row, c
OPTIONAL MATCH (s:Entity {id: row.subjectNode})
OPTIONAL MATCH (e:Entity {id: row.objectNode})
OPTIONAL MATCH (l:Literal {id: row.objectNode})
FOREACH (x IN CASE WHEN s IS NULL THEN [] ELSE [s] END | MERGE (c)-[:SUBJECT]->(x))
FOREACH (x IN CASE WHEN e IS NULL THEN [] ELSE [e] END | MERGE (c)-[:OBJECT]->(x))
FOREACH (x IN CASE WHEN l IS NULL THEN [] ELSE [l] END | MERGE (c)-[:OBJECT]->(x))
