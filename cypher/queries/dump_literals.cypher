// A page of all literals with every property, in the order of their ids.
// params: after, limit
// returns: id, name, value, datatype, unit, precision
// index: literal_id
MATCH (l:Literal)
WHERE l.id > $after
RETURN l.id AS id, l.name AS name, l.value AS value, l.datatype AS datatype, l.unit AS unit, l.precision AS precision
ORDER BY id
LIMIT $limit
