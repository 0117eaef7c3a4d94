// What was brought into a graph, and whether all of it.
// params: target
// returns: id, status, rows
// index: none
MATCH (t:Fetch {target: $target})
RETURN t.id AS id, t.status AS status, t.rows AS rows
ORDER BY id
