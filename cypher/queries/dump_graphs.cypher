// A page of all graphs with every property, in the order of their ids.
// params: after, limit
// returns: id, name, kind, version, updatedAt
// index: graph_id
MATCH (g:Graph)
WHERE g.id > $after
RETURN g.id AS id, g.name AS name, g.kind AS kind, g.version AS version, g.updatedAt AS updatedAt
ORDER BY id
LIMIT $limit
