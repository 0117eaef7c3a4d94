// Documents with current verdicts, the first checked first; null since, document or batch means any.
// params: since, document, batch
// returns: id
// index: none
MATCH (d:Document)<-[:IN]-(:Claim)-[:CURRENT]->(v:Verdict)
WHERE ($since IS NULL OR v.createdAt >= $since) AND ($document IS NULL OR d.id = $document)
    AND ($batch IS NULL OR EXISTS { MATCH (d)<-[:CHECKS]-(:Job)-[:PART_OF]->(:Batch {id: $batch}) })
WITH d, min(v.createdAt) AS first
RETURN d.id AS id
ORDER BY first, id
