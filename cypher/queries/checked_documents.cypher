// Documents with claims, with their current verdicts counted by outcome: those with most refuted claims first, then most
// open ones, then the latest. `words` is a part of name or text in lower case, null for any; `batch` a run, null for any.
// params: words, batch, skip, limit
// returns: id, name, createdAt, claims, refuted, open, supported
// index: none
MATCH (d:Document)<-[:IN]-(c:Claim)
WHERE ($words IS NULL OR toLower(d.name) CONTAINS $words OR toLower(d.text) CONTAINS $words)
    AND ($batch IS NULL OR EXISTS { MATCH (d)<-[:CHECKS]-(:Job)-[:PART_OF]->(:Batch {id: $batch}) })
OPTIONAL MATCH (c)-[:CURRENT]->(v:Verdict)
WITH d, count(DISTINCT c) AS claims, count(CASE v.outcome WHEN 'REFUTED' THEN 1 END) AS refuted,
    count(CASE v.outcome WHEN 'NOT_ENOUGH_INFO' THEN 1 END) AS open,
    count(CASE v.outcome WHEN 'SUPPORTED' THEN 1 END) AS supported
ORDER BY refuted DESC, open DESC, d.createdAt DESC, d.id SKIP $skip LIMIT $limit
RETURN d.id AS id, d.name AS name, d.createdAt AS createdAt, claims, refuted, open, supported
