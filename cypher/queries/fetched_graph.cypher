// A record of something that was fetched into a graph by entity; no row where nothing was.
// params: target, parts (ends of the records' sources)
// returns: id
// index: none
MATCH (t:Fetch {target: $target})
WHERE t.content IS NOT NULL AND any(part IN $parts WHERE t.source ENDS WITH part)
RETURN t.id AS id
LIMIT 1
