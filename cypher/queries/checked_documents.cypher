// Documents with claims, with their statements counted by outcome: those with most refuted statements first, then most
// open ones, then the latest. A statement has the worst outcome of its claims. `words` is a part of name or text in lower
// case, null for any; `batch` a run, null for any.
// params: words, batch, skip, limit
// returns: id, name, createdAt, claims, refuted, open, supported
// index: none
MATCH (d:Document)<-[:IN]-(c:Claim)
WHERE ($words IS NULL OR toLower(d.name) CONTAINS $words OR toLower(d.text) CONTAINS $words)
    AND ($batch IS NULL OR EXISTS { MATCH (d)<-[:CHECKS]-(:Job)-[:PART_OF]->(:Batch {id: $batch}) })
OPTIONAL MATCH (c)-[:CURRENT]->(v:Verdict)
WITH d, CASE WHEN c.statement <> '' THEN c.statement ELSE c.text + toString(c.spanStart) END AS statement,
    count(DISTINCT c) AS claims,
    min(CASE v.outcome WHEN 'REFUTED' THEN 0 WHEN 'NOT_ENOUGH_INFO' THEN 1 WHEN 'SUPPORTED' THEN 2 END) AS worst
WITH d, sum(claims) AS claims, count(CASE worst WHEN 0 THEN 1 END) AS refuted, count(CASE worst WHEN 1 THEN 1 END) AS open,
    count(CASE worst WHEN 2 THEN 1 END) AS supported
ORDER BY refuted DESC, open DESC, d.createdAt DESC, d.id SKIP $skip LIMIT $limit
RETURN d.id AS id, d.name AS name, d.createdAt AS createdAt, claims, refuted, open, supported
