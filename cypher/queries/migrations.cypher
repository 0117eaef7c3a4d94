// The migrations that were applied, in order.
// params: none
// returns: id, name, appliedAt
// index: none
MATCH (m:Migration)
RETURN m.id AS id, m.name AS name, m.appliedAt AS appliedAt
ORDER BY id
