// Writes graphs by name, joined to the document they were read from. `updatedAt` moves only with the version.
// params: rows [{id, name, kind, version, updatedAt, document}]
// returns: nothing
// index: graph_id, document_id
UNWIND $rows AS row
MERGE (g:Graph {id: row.id})
ON CREATE SET g.version = '', g.updatedAt = row.updatedAt
SET g.updatedAt = CASE WHEN g.version = row.version THEN g.updatedAt ELSE row.updatedAt END
SET g.name = row.name, g.kind = row.kind, g.version = row.version
WITH row, g
MATCH (d:Document {id: row.document})
MERGE (g)-[:FROM]->(d)
