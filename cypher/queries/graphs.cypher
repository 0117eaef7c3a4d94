// The graphs of the store by name.
// params: none
// returns: name, kind, version, updatedAt
// index: none
MATCH (g:Graph)
RETURN g.name AS name, g.kind AS kind, g.version AS version, g.updatedAt AS updatedAt
ORDER BY name
