// Writes nodes of any label exactly as they were dumped; `Signal` and `Task` are in dumps of version 0.1.0 only.
// params: rows [{id, label, properties}]
// returns: nothing
// index: the unique ids of all labels
UNWIND $rows AS row
FOREACH (x IN CASE WHEN row.label = 'Document' THEN [1] ELSE [] END |
    MERGE (n:Document {id: row.id}) SET n += row.properties)
FOREACH (x IN CASE WHEN row.label = 'Entity' THEN [1] ELSE [] END |
    MERGE (n:Entity {id: row.id}) SET n += row.properties)
FOREACH (x IN CASE WHEN row.label = 'Literal' THEN [1] ELSE [] END |
    MERGE (n:Literal {id: row.id}) SET n += row.properties)
FOREACH (x IN CASE WHEN row.label = 'Predicate' THEN [1] ELSE [] END |
    MERGE (n:Predicate {id: row.id}) SET n += row.properties)
FOREACH (x IN CASE WHEN row.label = 'Graph' THEN [1] ELSE [] END |
    MERGE (n:Graph {id: row.id}) SET n += row.properties)
FOREACH (x IN CASE WHEN row.label = 'Fetch' THEN [1] ELSE [] END |
    MERGE (n:Fetch {id: row.id}) SET n += row.properties)
FOREACH (x IN CASE WHEN row.label = 'Run' THEN [1] ELSE [] END |
    MERGE (n:Run {id: row.id}) SET n += row.properties)
FOREACH (x IN CASE WHEN row.label = 'Claim' THEN [1] ELSE [] END |
    MERGE (n:Claim {id: row.id}) SET n += row.properties)
FOREACH (x IN CASE WHEN row.label = 'Evidence' THEN [1] ELSE [] END |
    MERGE (n:Evidence {id: row.id}) SET n += row.properties)
FOREACH (x IN CASE WHEN row.label = 'Verdict' THEN [1] ELSE [] END |
    MERGE (n:Verdict {id: row.id}) SET n += row.properties)
FOREACH (x IN CASE WHEN row.label = 'Verdict' AND row.properties.outcome = 'SUPPORTED' THEN [1] ELSE [] END |
    MERGE (n:Verdict {id: row.id}) SET n:Supported)
FOREACH (x IN CASE WHEN row.label = 'Verdict' AND row.properties.outcome = 'REFUTED' THEN [1] ELSE [] END |
    MERGE (n:Verdict {id: row.id}) SET n:Refuted)
FOREACH (x IN CASE WHEN row.label = 'Verdict' AND row.properties.outcome = 'NOT_ENOUGH_INFO' THEN [1] ELSE [] END |
    MERGE (n:Verdict {id: row.id}) SET n:NotEnoughInfo)
FOREACH (x IN CASE WHEN row.label = 'Signal' THEN [1] ELSE [] END |
    MERGE (n:Signal {id: row.id}) SET n += row.properties)
FOREACH (x IN CASE WHEN row.label = 'Correction' THEN [1] ELSE [] END |
    MERGE (n:Correction {id: row.id}) SET n += row.properties)
FOREACH (x IN CASE WHEN row.label = 'Answer' THEN [1] ELSE [] END |
    MERGE (n:Answer {id: row.id}) SET n += row.properties)
FOREACH (x IN CASE WHEN row.label = 'Completion' THEN [1] ELSE [] END |
    MERGE (n:Completion {id: row.id}) SET n += row.properties)
FOREACH (x IN CASE WHEN row.label = 'Batch' THEN [1] ELSE [] END |
    MERGE (n:Batch {id: row.id}) SET n += row.properties)
FOREACH (x IN CASE WHEN row.label = 'Job' THEN [1] ELSE [] END |
    MERGE (n:Job {id: row.id}) SET n += row.properties)
FOREACH (x IN CASE WHEN row.label = 'Task' THEN [1] ELSE [] END |
    MERGE (n:Task {id: row.id}) SET n += row.properties)
