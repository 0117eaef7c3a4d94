// Writes documents; of one that is there already, only what was unknown is filled in. One without
// a name is called by its `caption` until one is known.
// params: rows [{id, text, name, caption, source, language, createdAt}]
// returns: nothing
// index: document_id
UNWIND $rows AS row
MERGE (d:Document {id: row.id})
ON CREATE SET d.createdAt = row.createdAt, d.name = null, d.source = null, d.language = null
SET d.text = row.text,
    d.name = CASE WHEN d.name IS NULL OR d.name = row.caption THEN coalesce(row.name, row.caption) ELSE d.name END,
    d.source = coalesce(d.source, row.source),
    d.language = coalesce(d.language, row.language)
