// How many nodes of each label there are.
// params: none
// returns: label, nodes
// index: none
MATCH (n)
RETURN labels(n)[0] AS label, count(n) AS nodes
ORDER BY label
