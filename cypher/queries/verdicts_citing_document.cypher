// The verdicts that rest on a document as their context: on a sentence of it, or on a fact of the KG read from it.
// params: id, graph
// returns: id
// index: none
MATCH (e:Evidence)
WHERE e.document = $id OR e.source = $id OR e.source = $graph
MATCH (v:Verdict)-[:CITES]->(e)
RETURN DISTINCT v.id AS id
ORDER BY id
