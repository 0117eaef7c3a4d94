// The jobs of a batch with their documents, and how many statements of those have each outcome; worst first: parked,
// failed, then by what is refuted, what is not known, and the name. A question has no document, but `options`.
// params: batch, limit
// returns: job, document, name, options, status, task, attempts, error, supported, refuted, notEnoughInfo
// index: batch_id
MATCH (b:Batch {id: $batch})<-[:PART_OF]-(j:Job)
OPTIONAL MATCH (j)-[:CHECKS]->(d:Document)
OPTIONAL MATCH (d)<-[:IN]-(c:Claim)-[:CURRENT]->(v:Verdict)
WITH j, d, CASE WHEN c.statement <> '' THEN c.statement ELSE c.text + toString(c.spanStart) END AS statement,
    min(CASE v.outcome WHEN 'REFUTED' THEN 0 WHEN 'NOT_ENOUGH_INFO' THEN 1 WHEN 'SUPPORTED' THEN 2 END) AS worst
WITH j, d, count(CASE worst WHEN 2 THEN 1 END) AS supported, count(CASE worst WHEN 0 THEN 1 END) AS refuted,
    count(CASE worst WHEN 1 THEN 1 END) AS notEnoughInfo,
    CASE WHEN j.status = 'parked' THEN 0 WHEN j.status = 'failed' THEN 1 ELSE 2 END AS trouble
RETURN j.id AS job, d.id AS document, d.name AS name, CASE WHEN d IS NULL THEN j.options ELSE null END AS options,
    j.status AS status, j.task AS task, j.attempt AS attempts, j.error AS error, supported, refuted, notEnoughInfo
ORDER BY trouble, refuted DESC, notEnoughInfo DESC, name, job
LIMIT $limit
