// Everything that leaves the given verdicts, with every property of any kind of it.
// params: ids
// returns: leaving, kind, label, reached, stance, score, position
// index: verdict_id
UNWIND $ids AS wanted
MATCH (v:Verdict {id: wanted})-[r]->(n)
RETURN v.id AS leaving, type(r) AS kind, labels(n)[0] AS label, n.id AS reached,
    r.stance AS stance, r.score AS score, r.position AS position
ORDER BY leaving, kind, label, reached
