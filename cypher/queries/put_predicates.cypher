// Writes predicates. A null keeps what is known; `fallback` names a new predicate until a name is known.
// params: rows [{id, name, fallback, domain, range, functional, source}]
// returns: nothing
// index: predicate_id
UNWIND $rows AS row
MERGE (p:Predicate {id: row.id})
ON CREATE SET p.name = row.fallback, p.domain = null, p.range = null, p.functional = null, p.source = null
SET p.name = coalesce(row.name, p.name),
    p.domain = coalesce(row.domain, p.domain),
    p.range = coalesce(row.range, p.range),
    p.functional = coalesce(row.functional, p.functional),
    p.source = coalesce(row.source, p.source)
