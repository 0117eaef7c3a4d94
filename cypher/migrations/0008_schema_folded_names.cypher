// Entities, and claims by what they speak of, are found by name whatever its case (kgstore/engines/folding.py).
// params: none
// returns: nothing
// index: makes them
CREATE INDEX entity_folded_name IF NOT EXISTS FOR (n:Entity) ON (n.foldedName);
CREATE INDEX claim_folded_subject IF NOT EXISTS FOR (n:Claim) ON (n.foldedSubject);
CREATE INDEX claim_folded_object IF NOT EXISTS FOR (n:Claim) ON (n.foldedObject);
