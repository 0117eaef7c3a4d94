// The entities of a name, in lower case `folded`, whatever the case of theirs: names are gone through one by one.
// params: folded
// returns: id
// index: none
MATCH (e:Entity)
WHERE toLower(e.name) = $folded
RETURN e.id AS id
