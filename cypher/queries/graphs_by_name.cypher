// Versions of the graphs of some names; names that are no graph are left out.
// params: names
// returns: name, version
// index: graph_id
UNWIND $names AS wanted
MATCH (g:Graph {id: wanted})
RETURN g.name AS name, g.version AS version
ORDER BY name
