// What some verdicts cite, weightiest first.
// params: ids
// returns: verdict, evidence, stance, score, position, path, factId, text, subject, predicate, object, source, document,
//   rank, spanStart, spanEnd
// index: verdict_id
UNWIND $ids AS wanted
MATCH (v:Verdict {id: wanted})-[x:CITES]->(e:Evidence)
RETURN v.id AS verdict, e.id AS evidence, x.stance AS stance, x.score AS score, x.position AS position, x.path AS path,
    e.factId AS factId, e.text AS text, e.subject AS subject, e.predicate AS predicate, e.object AS object,
    e.source AS source, e.document AS document, e.rank AS rank, e.spanStart AS spanStart, e.spanEnd AS spanEnd
ORDER BY verdict, position, evidence
