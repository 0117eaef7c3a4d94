// One document.
// params: id
// returns: id, text, name, source, language, createdAt
// index: document_id
MATCH (d:Document {id: $id})
RETURN d.id AS id, d.text AS text, d.name AS name, d.source AS source, d.language AS language,
    d.createdAt AS createdAt
