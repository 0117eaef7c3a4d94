// Everything that leaves the given claims, with every property of any kind of it.
// params: ids
// returns: leaving, kind, label, reached, role, mention, score, margin
// index: claim_id
UNWIND $ids AS wanted
MATCH (c:Claim {id: wanted})-[r]->(n)
RETURN c.id AS leaving, type(r) AS kind, labels(n)[0] AS label, n.id AS reached,
    r.role AS role, r.mention AS mention, r.score AS score, r.margin AS margin
ORDER BY leaving, kind, label, reached, role
