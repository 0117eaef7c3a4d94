// Writes what a world on the network said of an entity, anew each time: `content` is a digest of it, and `retrievedAt`
// moves even where it said the same.
// params: rows [{id, name, source, target, status, rows, retrievedAt, content}]
// returns: nothing
// index: fetch_id, graph_id
UNWIND $rows AS row
MERGE (t:Fetch {id: row.id})
SET t.name = row.name, t.source = row.source, t.target = row.target, t.status = row.status, t.rows = row.rows,
    t.retrievedAt = row.retrievedAt, t.content = row.content
WITH row, t
MATCH (g:Graph {id: row.target})
MERGE (t)-[:INTO]->(g)
