// The runs that gave some verdicts.
// params: ids
// returns: verdict, id, method, model, promptHash, startedAt, finishedAt
// index: verdict_id
UNWIND $ids AS wanted
MATCH (v:Verdict {id: wanted})-[:BY]->(r:Run)
RETURN v.id AS verdict, r.id AS id, r.method AS method, r.model AS model, r.promptHash AS promptHash,
    r.startedAt AS startedAt, r.finishedAt AS finishedAt
ORDER BY verdict
