// The claims whose subject or object is said in these words, in lower case `folded`: claims are gone through one by one.
// params: folded
// returns: id
// index: none
MATCH (c:Claim)
WHERE toLower(c.subject) = $folded OR toLower(c.object) = $folded
RETURN c.id AS id
