// Deletes the records of graphs.
// params: rows [{id}]
// returns: nothing
// index: graph_id
UNWIND $rows AS row
MATCH (g:Graph {id: row.id})
DELETE g
