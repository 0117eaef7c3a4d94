// Entities of some graphs that share words with a mention, best full-text match first.
// params: words (letters and digits only), graphs, limit
// returns: id, name, aliases, description, source, graphs, score
// index: entity_text
CALL db.index.fulltext.queryNodes('entity_text', $words) YIELD node, score
WITH node AS e, score
WHERE any(graph IN e.graphs WHERE graph IN $graphs)
RETURN e.id AS id, e.name AS name, e.aliases AS aliases, e.description AS description, e.source AS source,
    e.graphs AS graphs, score
ORDER BY score DESC, id
LIMIT $limit
