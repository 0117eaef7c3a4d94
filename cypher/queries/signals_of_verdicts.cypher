// The numbers that some verdicts rest on: their properties whose names have an underscore.
// params: ids
// returns: verdict, signal, value
// index: verdict_id
UNWIND $ids AS wanted
MATCH (v:Verdict {id: wanted})
UNWIND [key IN keys(v) WHERE key CONTAINS '_'] AS signal
RETURN v.id AS verdict, signal, v[signal] AS value
ORDER BY verdict, signal
