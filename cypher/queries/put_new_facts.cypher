// Writes facts of a file between entities that are there, of which none is there yet: half the time of put_facts. A fact
// whose ends are missing is left out; one that is there fails.
// params: rows [{id, graph, subject, predicate, name, object, rank, validFrom, validTo, qualifiers, source}]
// returns: nothing
// index: entity_id
UNWIND $rows AS row
MATCH (s:Entity {id: row.subject})
MATCH (o:Entity {id: row.object})
CREATE (s)-[:FACT {id: row.id, graph: row.graph, predicate: row.predicate, name: row.name, rank: row.rank,
    validFrom: row.validFrom, validTo: row.validTo, qualifiers: row.qualifiers, source: row.source}]->(o)
