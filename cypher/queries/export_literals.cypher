// Names of literals; ids that are no literal are left out.
// params: ids
// returns: id, name
// index: literal_id
UNWIND $ids AS wanted
MATCH (l:Literal {id: wanted})
RETURN l.id AS id, l.name AS name
