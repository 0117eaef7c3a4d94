// Writes predicates, joined to the graph that uses them where one is given. A null keeps what is known; `fallback` names
// a new predicate until a name is known. One that says nothing new is not locked: files and fetches share most of them.
// params: rows [{id, name, fallback, domain, range, functional, source, graph}]
// returns: nothing
// index: predicate_id, graph_id
UNWIND $rows AS row
MERGE (p:Predicate {id: row.id})
ON CREATE SET p.name = row.fallback, p.domain = null, p.range = null, p.functional = null, p.source = null
WITH row, p
OPTIONAL MATCH (g:Graph {id: row.graph})
FOREACH (x IN CASE WHEN g IS NULL THEN [] ELSE [g] END | MERGE (x)-[:USES]->(p))
WITH row, p
WHERE (row.name IS NOT NULL AND p.name <> row.name)
    OR (row.domain IS NOT NULL AND (p.domain IS NULL OR p.domain <> row.domain))
    OR (row.range IS NOT NULL AND (p.range IS NULL OR p.range <> row.range))
    OR (row.functional IS NOT NULL AND (p.functional IS NULL OR p.functional <> row.functional))
    OR (row.source IS NOT NULL AND (p.source IS NULL OR p.source <> row.source))
SET p.name = coalesce(row.name, p.name),
    p.domain = coalesce(row.domain, p.domain),
    p.range = coalesce(row.range, p.range),
    p.functional = coalesce(row.functional, p.functional),
    p.source = coalesce(row.source, p.source)
