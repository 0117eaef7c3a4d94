// Writes documents; of one that is there already, only what was unknown is filled in.
// params: rows [{id, text, name, source, language, createdAt}]
// returns: nothing
// index: document_id
UNWIND $rows AS row
MERGE (d:Document {id: row.id})
ON CREATE SET d.createdAt = row.createdAt, d.name = null, d.source = null, d.language = null
SET d.text = row.text,
    d.name = coalesce(d.name, row.name),
    d.source = coalesce(d.source, row.source),
    d.language = coalesce(d.language, row.language)
