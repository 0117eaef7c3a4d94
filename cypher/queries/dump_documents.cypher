// A page of all documents with every property, in the order of their ids.
// params: after, limit
// returns: id, text, name, source, language, createdAt
// index: document_id
MATCH (d:Document)
WHERE d.id > $after
RETURN d.id AS id, d.text AS text, d.name AS name, d.source AS source, d.language AS language,
    d.createdAt AS createdAt
ORDER BY id
LIMIT $limit
