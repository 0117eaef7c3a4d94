// What was brought into a graph, and whether all of it.
// params: target
// returns: id, source, status, rows, retrievedAt, content
// index: none
MATCH (t:Fetch {target: $target})
RETURN t.id AS id, t.source AS source, t.status AS status, t.rows AS rows, t.retrievedAt AS retrievedAt,
    t.content AS content
ORDER BY id
