// Deletes kept answers of language models.
// params: rows [{id}]
// returns: nothing
// index: completion_id
UNWIND $rows AS row
MATCH (c:Completion {id: row.id})
DELETE c
