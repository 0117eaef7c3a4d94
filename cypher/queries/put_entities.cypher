// Writes entities, uniting aliases, search words and graphs with what is there. A null name, description or source
// keeps what is known, so facts ingested again without labels erase none; `fallback` names a new entity until then.
// params: rows [{id, name, fallback, aliases, description, source, searchText, graphs,
//   foldedName}]
// returns: nothing
// index: entity_id
UNWIND $rows AS row
MERGE (e:Entity {id: row.id})
ON CREATE SET e.name = row.fallback, e.foldedName = row.foldedName, e.aliases = [], e.description = null, e.source = null,
    e.searchText = '', e.graphs = []
SET e.name = coalesce(row.name, e.name),
    e.foldedName = CASE WHEN row.name IS NULL THEN e.foldedName ELSE row.foldedName END,
    e.aliases = e.aliases + [alias IN row.aliases WHERE NOT alias IN e.aliases],
    e.description = coalesce(row.description, e.description),
    e.source = coalesce(row.source, e.source),
    e.searchText = CASE WHEN e.searchText CONTAINS row.searchText THEN e.searchText
        ELSE e.searchText + ' ' + row.searchText END,
    e.graphs = e.graphs + [graph IN row.graphs WHERE NOT graph IN e.graphs]
