// Records migrations; one recorded twice keeps its first time.
// params: rows [{id, name, appliedAt}]
// returns: nothing
// index: migration_id
UNWIND $rows AS row
MERGE (m:Migration {id: row.id})
ON CREATE SET m.name = row.name, m.appliedAt = row.appliedAt
