// How many verdicts hold now, by outcome and method.
// params: none
// returns: outcome, method, verdicts
// index: none
MATCH (:Claim)-[:CURRENT]->(v:Verdict)
RETURN v.outcome AS outcome, v.method AS method, count(v) AS verdicts
ORDER BY outcome, method
