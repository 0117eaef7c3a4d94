// Writes predicates. A null keeps what is known; `fallback` names a new predicate until a name is known. One that says
// nothing new is not locked: all documents share a few, and two writers with several steps each would deadlock on them.
// params: rows [{id, name, fallback, domain, range, functional, source}]
// returns: nothing
// index: predicate_id
UNWIND $rows AS row
MERGE (p:Predicate {id: row.id})
ON CREATE SET p.name = row.fallback, p.domain = null, p.range = null, p.functional = null, p.source = null
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
