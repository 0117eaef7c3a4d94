// Kept answers of language models, by id.
// params: ids
// returns: id, text
// index: completion_id
UNWIND $ids AS wanted
MATCH (c:Completion {id: wanted})
RETURN c.id AS id, c.text AS text
ORDER BY id
