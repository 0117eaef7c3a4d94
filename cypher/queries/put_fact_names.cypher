// Gives facts the name their predicate goes by.
// params: rows [{id, name}]
// returns: nothing
// index: fact_id
UNWIND $rows AS row
MATCH ()-[f:FACT {id: row.id}]->()
SET f.name = row.name
