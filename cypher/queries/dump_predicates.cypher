// A page of all predicates with every property, in the order of their ids.
// params: after, limit
// returns: id, name, domain, range, functional, source
// index: predicate_id
MATCH (p:Predicate)
WHERE p.id > $after
RETURN p.id AS id, p.name AS name, p.domain AS domain, p.range AS range, p.functional AS functional,
    p.source AS source
ORDER BY id
LIMIT $limit
