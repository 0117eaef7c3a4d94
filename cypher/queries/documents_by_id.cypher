// Documents of some ids; ids that are no document are left out.
// params: ids
// returns: id, text, name, source, language, createdAt
// index: document_id
UNWIND $ids AS wanted
MATCH (d:Document {id: wanted})
RETURN d.id AS id, d.text AS text, d.name AS name, d.source AS source, d.language AS language,
    d.createdAt AS createdAt
ORDER BY id
