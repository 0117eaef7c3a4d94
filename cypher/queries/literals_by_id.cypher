// Literals of some ids; ids that are no literal are left out.
// params: ids
// returns: id, value, datatype, unit, precision
// index: literal_id
UNWIND $ids AS wanted
MATCH (l:Literal {id: wanted})
RETURN l.id AS id, l.value AS value, l.datatype AS datatype, l.unit AS unit, l.precision AS precision
ORDER BY id
