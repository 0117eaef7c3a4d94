// Writes frozen evidence; what is there stays as it is.
// params: rows [{id, factId, text, subject, predicate, object, source, document, spanStart, spanEnd}]
// returns: nothing
// index: evidence_id
UNWIND $rows AS row
MERGE (e:Evidence {id: row.id})
ON CREATE SET e.factId = row.factId, e.text = row.text, e.subject = row.subject, e.predicate = row.predicate,
    e.object = row.object, e.source = row.source, e.document = row.document, e.spanStart = row.spanStart,
    e.spanEnd = row.spanEnd
