// How many verdicts hold on the documents of a batch, by outcome.
// params: batch
// returns: outcome, verdicts
// index: batch_id
MATCH (b:Batch {id: $batch})<-[:PART_OF]-(:Job)-[:CHECKS]->(d:Document)
WITH DISTINCT d
MATCH (d)<-[:IN]-(:Claim)-[:CURRENT]->(v:Verdict)
RETURN v.outcome AS outcome, count(v) AS verdicts
ORDER BY outcome
