// A page of all corrections with every property, in the order of their ids.
// params: after, limit
// returns: id, name, before, after, spanStart, spanEnd, method, config, createdAt
// index: correction_id
MATCH (k:Correction)
WHERE k.id > $after
RETURN k.id AS id, k.name AS name, k.before AS before, k.after AS after, k.spanStart AS spanStart, k.spanEnd AS spanEnd,
    k.method AS method, k.config AS config, k.createdAt AS createdAt
ORDER BY id
LIMIT $limit
