// Keeps answers of language models. One that is there stays as it is.
// params: rows [{id, model, prompt, parameters, text, createdAt}]
// returns: nothing
// index: completion_id
UNWIND $rows AS row
MERGE (c:Completion {id: row.id})
ON CREATE SET c.model = row.model, c.prompt = row.prompt, c.parameters = row.parameters, c.text = row.text,
    c.createdAt = row.createdAt
