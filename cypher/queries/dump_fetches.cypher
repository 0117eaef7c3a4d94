// A page of all fetches with every property, in the order of their ids.
// params: after, limit
// returns: id, name, source, target, status, rows, retrievedAt, content
// index: fetch_id
MATCH (t:Fetch)
WHERE t.id > $after
RETURN t.id AS id, t.name AS name, t.source AS source, t.target AS target, t.status AS status, t.rows AS rows,
    t.retrievedAt AS retrievedAt, t.content AS content
ORDER BY id
LIMIT $limit
