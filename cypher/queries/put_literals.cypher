// Writes typed literals.
// params: rows [{id, name, value, datatype, unit, precision}]
// returns: nothing
// index: literal_id
UNWIND $rows AS row
MERGE (l:Literal {id: row.id})
SET l.name = row.name, l.value = row.value, l.datatype = row.datatype, l.unit = row.unit, l.precision = row.precision
