// A page of all kept answers of language models with every property, in the order of their ids.
// params: after, limit
// returns: id, model, prompt, parameters, text, createdAt
// index: completion_id
MATCH (c:Completion)
WHERE c.id > $after
RETURN c.id AS id, c.model AS model, c.prompt AS prompt, c.parameters AS parameters, c.text AS text,
    c.createdAt AS createdAt
ORDER BY id
LIMIT $limit
