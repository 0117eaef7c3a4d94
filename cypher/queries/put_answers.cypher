// Writes answers to questions. One that is there keeps its time.
// params: rows [{id, name, question, mode, prompt, text, createdAt}]
// returns: nothing
// index: answer_id
UNWIND $rows AS row
MERGE (a:Answer {id: row.id})
ON CREATE SET a.createdAt = row.createdAt
SET a.name = row.name, a.question = row.question, a.mode = row.mode, a.prompt = row.prompt, a.text = row.text
