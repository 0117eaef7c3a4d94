// Entities whose names are longer than so many characters, at most `limit`.
// params: longest, limit
// returns: id, name
// index: none
MATCH (e:Entity)
WHERE size(e.name) > $longest
RETURN e.id AS id, e.name AS name
ORDER BY id
LIMIT $limit
