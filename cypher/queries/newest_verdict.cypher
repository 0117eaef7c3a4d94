// When the newest of the verdicts given since a moment was given; null where there is none.
// params: since
// returns: createdAt
// index: verdict_created
MATCH (v:Verdict)
WHERE v.createdAt >= $since
RETURN max(v.createdAt) AS createdAt
