// Everything that leaves the given nodes, other than entities, with every property of any kind of it.
// params: ids
// returns: leaving, kind, label, reached, role, mention, score, margin, stance, position, path, cause
// index: the unique ids of the labels
UNWIND $ids AS wanted
MATCH (n:Document|Graph|Fetch|Run|Claim|Evidence|Verdict|Correction|Answer|Job {id: wanted})-[r]->(o)
RETURN n.id AS leaving, type(r) AS kind, labels(o)[0] AS label, o.id AS reached, r.role AS role, r.mention AS mention,
    r.score AS score, r.margin AS margin, r.stance AS stance, r.position AS position,
    r.path AS path, r.cause AS cause
ORDER BY leaving, kind, label, reached, role
