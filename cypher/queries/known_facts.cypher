// Those of some ids that are facts.
// params: ids
// returns: id
// index: fact_id
UNWIND $ids AS wanted
MATCH ()-[f:FACT {id: wanted}]->()
RETURN f.id AS id
ORDER BY id
