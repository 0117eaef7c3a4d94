// Deletes records of unfinished work, which lie among the migrations.
// params: rows [{id}]
// returns: nothing
// index: migration_id
UNWIND $rows AS row
MATCH (m:Migration {id: row.id})
DELETE m
