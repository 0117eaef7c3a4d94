// Kept answers of language models: of one model where `model` is given, made before a time where `before` is.
// params: model, before, limit
// returns: id
// index: none
MATCH (c:Completion)
WHERE ($model IS NULL OR c.model = $model) AND ($before IS NULL OR c.createdAt < $before)
RETURN c.id AS id
ORDER BY id
LIMIT $limit
