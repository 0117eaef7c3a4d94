// Writes typed literals. One that is there is not locked: their properties but the name are in the id.
// params: rows [{id, name, value, datatype, unit, precision}]
// returns: nothing
// index: literal_id
UNWIND $rows AS row
MERGE (l:Literal {id: row.id})
ON CREATE SET l.name = row.name, l.value = row.value, l.datatype = row.datatype, l.unit = row.unit,
    l.precision = row.precision
WITH row, l
WHERE l.name <> row.name
SET l.name = row.name
