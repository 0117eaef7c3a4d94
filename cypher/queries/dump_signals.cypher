// A page of all signals with every property, in the order of their ids.
// params: after, limit
// returns: id, method, name, value
// index: signal_id
MATCH (s:Signal)
WHERE s.id > $after
RETURN s.id AS id, s.method AS method, s.name AS name, s.value AS value
ORDER BY id
LIMIT $limit
