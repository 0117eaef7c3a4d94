// A page of all answers with every property, in the order of their ids.
// params: after, limit
// returns: id, name, question, mode, prompt, text, createdAt
// index: answer_id
MATCH (a:Answer)
WHERE a.id > $after
RETURN a.id AS id, a.name AS name, a.question AS question, a.mode AS mode, a.prompt AS prompt, a.text AS text,
    a.createdAt AS createdAt
ORDER BY id
LIMIT $limit
