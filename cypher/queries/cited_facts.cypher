// Facts that verdicts cite as they were then, beside what they are now; a fact that is gone has nulls there.
// params: ids
// returns: verdict, evidence, subject, predicate, object, rank, live, liveSubject, livePredicate, liveObject, liveRank
// index: verdict_id, fact_id
UNWIND $ids AS wanted
MATCH (v:Verdict {id: wanted})-[:CITES]->(e:Evidence)
WHERE e.factId IS NOT NULL
OPTIONAL MATCH (s:Entity)-[f:FACT {id: e.factId}]->(o)
RETURN v.id AS verdict, e.id AS evidence, e.subject AS subject, e.predicate AS predicate, e.object AS object,
    e.rank AS rank, f.id AS live, s.name AS liveSubject, f.name AS livePredicate, o.name AS liveObject, f.rank AS liveRank
ORDER BY verdict, evidence
