// The corrections of a document by where they stand, each with the claim it fixes, the verdict that caused it and the
// corrected document; a correction that led to several documents has a row for each.
// params: document
// returns: id, claim, verdict, result, before, after, spanStart, spanEnd, method, config, createdAt
// index: document_id
MATCH (c:Claim)-[:IN]->(:Document {id: $document})
MATCH (k:Correction)-[:FIXES]->(c)
MATCH (k)-[:BECAUSE]->(v:Verdict)
MATCH (k)-[:GIVES]->(d:Document)
RETURN k.id AS id, c.id AS claim, v.id AS verdict, d.id AS result, k.before AS before, k.after AS after,
    k.spanStart AS spanStart, k.spanEnd AS spanEnd, k.method AS method, k.config AS config, k.createdAt AS createdAt
ORDER BY spanStart, spanEnd, id, result
