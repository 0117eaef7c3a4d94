// Writes what was brought in: one node a source and target. `retrievedAt` moves only when something else does.
// params: rows [{id, name, source, target, status, rows, retrievedAt}]
// returns: nothing
// index: fetch_id, graph_id
UNWIND $rows AS row
MERGE (t:Fetch {id: row.id})
ON CREATE SET t.source = row.source, t.target = row.target, t.status = '', t.rows = 0, t.content = null,
    t.retrievedAt = row.retrievedAt
SET t.retrievedAt = CASE WHEN t.status = row.status AND t.rows = row.rows THEN t.retrievedAt ELSE row.retrievedAt END
SET t.name = row.name, t.source = row.source, t.target = row.target, t.status = row.status, t.rows = row.rows
WITH row, t
MATCH (g:Graph {id: row.target})
MERGE (t)-[:INTO]->(g)
