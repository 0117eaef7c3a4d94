// The jobs of a batch with their documents, and how many verdicts of each outcome hold on those; worst first: parked,
// failed, then by what is refuted, what is not known, and the name. A question has no document, but `options`.
// params: batch, limit
// returns: job, document, name, options, status, task, attempts, error, supported, refuted, notEnoughInfo
// index: batch_id
MATCH (b:Batch {id: $batch})<-[:PART_OF]-(j:Job)
OPTIONAL MATCH (j)-[:CHECKS]->(d:Document)
OPTIONAL MATCH (d)<-[:IN]-(:Claim)-[:CURRENT]->(v:Verdict)
WITH j, d, sum(CASE WHEN v.outcome = 'SUPPORTED' THEN 1 ELSE 0 END) AS supported,
    sum(CASE WHEN v.outcome = 'REFUTED' THEN 1 ELSE 0 END) AS refuted,
    sum(CASE WHEN v.outcome = 'NOT_ENOUGH_INFO' THEN 1 ELSE 0 END) AS notEnoughInfo,
    CASE WHEN j.status = 'parked' THEN 0 WHEN j.status = 'failed' THEN 1 ELSE 2 END AS trouble
RETURN j.id AS job, d.id AS document, d.name AS name, CASE WHEN d IS NULL THEN j.options ELSE null END AS options,
    j.status AS status, j.task AS task, j.attempt AS attempts, j.error AS error, supported, refuted, notEnoughInfo
ORDER BY trouble, refuted DESC, notEnoughInfo DESC, name, job
LIMIT $limit
