// The nodes of a graph or of a document's verdicts that have one of these ids, with all they are:
// `properties` are pairs of name and value.
// params: ids
// returns: id, labels, properties
// index: the unique ids of the labels
UNWIND $ids AS wanted
MATCH (n:Document|Graph|Run|Claim|Evidence|Verdict|Entity|Literal {id: wanted})
RETURN n.id AS id, labels(n) AS labels, [key IN keys(n) | [key, n[key]]] AS properties
ORDER BY id
