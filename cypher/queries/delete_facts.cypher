// Deletes facts.
// params: rows [{id}]
// returns: nothing
// index: fact_id
UNWIND $rows AS row
MATCH ()-[f:FACT {id: row.id}]->()
DELETE f
