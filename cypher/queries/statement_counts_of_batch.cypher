// How many statements of the documents of a batch have each outcome; a statement has the worst one of its claims.
// params: batch
// returns: refuted, open, supported
// index: batch_id
MATCH (b:Batch {id: $batch})<-[:PART_OF]-(:Job)-[:CHECKS]->(d:Document)
WITH DISTINCT d
MATCH (d)<-[:IN]-(c:Claim)-[:CURRENT]->(v:Verdict)
WITH d, CASE WHEN c.statement <> '' THEN c.statement ELSE c.text + toString(c.spanStart) END AS statement,
    min(CASE v.outcome WHEN 'REFUTED' THEN 0 WHEN 'NOT_ENOUGH_INFO' THEN 1 WHEN 'SUPPORTED' THEN 2 END) AS worst
RETURN count(CASE worst WHEN 0 THEN 1 END) AS refuted, count(CASE worst WHEN 1 THEN 1 END) AS open,
    count(CASE worst WHEN 2 THEN 1 END) AS supported
