// Writes facts between entities and literals that are there; a fact whose ends are missing is left out.
// params: rows [{id, graph, subject, predicate, name, object, rank, validFrom, validTo, qualifiers, source,
//   retrievedAt, document, spanStart, spanEnd}]; a fact of a file lacks the last four
// returns: nothing
// index: entity_id, literal_id, fact_id
UNWIND $rows AS row
MATCH (s:Entity {id: row.subject})
MATCH (o:Literal {id: row.object})
MERGE (s)-[f:FACT {id: row.id}]->(o)
SET f.graph = row.graph, f.predicate = row.predicate, f.name = row.name, f.rank = row.rank,
    f.validFrom = row.validFrom, f.validTo = row.validTo, f.qualifiers = row.qualifiers, f.source = row.source,
    f.retrievedAt = row.retrievedAt, f.document = row.document, f.spanStart = row.spanStart, f.spanEnd = row.spanEnd
