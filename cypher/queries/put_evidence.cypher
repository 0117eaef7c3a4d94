// Writes frozen evidence, joined to the document it stands in; what is there stays as it is.
// params: rows [{id, name, factId, text, subject, predicate, object, source, document, rank, spanStart, spanEnd}]
// returns: nothing
// index: evidence_id, document_id
UNWIND $rows AS row
MERGE (e:Evidence {id: row.id})
ON CREATE SET e.name = row.name, e.factId = row.factId, e.text = row.text, e.subject = row.subject, e.predicate = row.predicate,
    e.object = row.object, e.source = row.source, e.document = row.document, e.rank = row.rank, e.spanStart = row.spanStart,
    e.spanEnd = row.spanEnd
WITH row, e
MATCH (d:Document {id: row.document})
MERGE (e)-[:FROM]->(d)
