// What was brought in, by the ids of its records.
// params: ids
// returns: id, source, status, rows, retrievedAt, content
// index: fetch_id
UNWIND $ids AS wanted
MATCH (t:Fetch {id: wanted})
RETURN t.id AS id, t.source AS source, t.status AS status, t.rows AS rows, t.retrievedAt AS retrievedAt,
    t.content AS content
ORDER BY id
