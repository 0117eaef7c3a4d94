// How many answers of each language model are kept.
// params: none
// returns: model, answers
// index: none
MATCH (c:Completion)
RETURN c.model AS model, count(c) AS answers
ORDER BY model
