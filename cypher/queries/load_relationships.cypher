// Writes relationships of any kind between nodes that are there, exactly as they were dumped. `kind` is the label they
// leave, their type, and the label they reach.
// params: rows [{id, kind, source, target, properties}]
// returns: nothing
// index: the unique ids of all labels, fact_id
UNWIND $rows AS row
FOREACH (x IN CASE WHEN row.kind = 'Claim IN Document' THEN [1] ELSE [] END |
    MERGE (a:Claim {id: row.source}) MERGE (b:Document {id: row.target})
    MERGE (a)-[:IN]->(b))
FOREACH (x IN CASE WHEN row.kind = 'Document ABOUT Entity' THEN [1] ELSE [] END |
    MERGE (a:Document {id: row.source}) MERGE (b:Entity {id: row.target})
    MERGE (a)-[:ABOUT]->(b))
FOREACH (x IN CASE WHEN row.kind = 'Claim SUBJECT Entity' THEN [1] ELSE [] END |
    MERGE (a:Claim {id: row.source}) MERGE (b:Entity {id: row.target})
    MERGE (a)-[:SUBJECT]->(b))
FOREACH (x IN CASE WHEN row.kind = 'Claim SUBJECT Literal' THEN [1] ELSE [] END |
    MERGE (a:Claim {id: row.source}) MERGE (b:Literal {id: row.target})
    MERGE (a)-[:SUBJECT]->(b))
FOREACH (x IN CASE WHEN row.kind = 'Claim OBJECT Entity' THEN [1] ELSE [] END |
    MERGE (a:Claim {id: row.source}) MERGE (b:Entity {id: row.target})
    MERGE (a)-[:OBJECT]->(b))
FOREACH (x IN CASE WHEN row.kind = 'Claim OBJECT Literal' THEN [1] ELSE [] END |
    MERGE (a:Claim {id: row.source}) MERGE (b:Literal {id: row.target})
    MERGE (a)-[:OBJECT]->(b))
FOREACH (x IN CASE WHEN row.kind = 'Claim CURRENT Verdict' THEN [1] ELSE [] END |
    MERGE (a:Claim {id: row.source}) MERGE (b:Verdict {id: row.target})
    MERGE (a)-[:CURRENT]->(b))
FOREACH (x IN CASE WHEN row.kind = 'Verdict OF Claim' THEN [1] ELSE [] END |
    MERGE (a:Verdict {id: row.source}) MERGE (b:Claim {id: row.target})
    MERGE (a)-[:OF]->(b))
FOREACH (x IN CASE WHEN row.kind = 'Verdict BY Run' THEN [1] ELSE [] END |
    MERGE (a:Verdict {id: row.source}) MERGE (b:Run {id: row.target})
    MERGE (a)-[:BY]->(b))
FOREACH (x IN CASE WHEN row.kind = 'Verdict SUPERSEDES Verdict' THEN [1] ELSE [] END |
    MERGE (a:Verdict {id: row.source}) MERGE (b:Verdict {id: row.target})
    MERGE (a)-[r:SUPERSEDES]->(b) SET r += row.properties)
FOREACH (x IN CASE WHEN row.kind = 'Signal FOR Verdict' THEN [1] ELSE [] END |
    MERGE (a:Signal {id: row.source}) MERGE (b:Verdict {id: row.target})
    MERGE (a)-[:FOR]->(b))
FOREACH (x IN CASE WHEN row.kind = 'Correction FIXES Claim' THEN [1] ELSE [] END |
    MERGE (a:Correction {id: row.source}) MERGE (b:Claim {id: row.target})
    MERGE (a)-[:FIXES]->(b))
FOREACH (x IN CASE WHEN row.kind = 'Correction BECAUSE Verdict' THEN [1] ELSE [] END |
    MERGE (a:Correction {id: row.source}) MERGE (b:Verdict {id: row.target})
    MERGE (a)-[:BECAUSE]->(b))
FOREACH (x IN CASE WHEN row.kind = 'Correction GIVES Document' THEN [1] ELSE [] END |
    MERGE (a:Correction {id: row.source}) MERGE (b:Document {id: row.target})
    MERGE (a)-[:GIVES]->(b))
FOREACH (x IN CASE WHEN row.kind = 'Claim LINKED Entity' THEN [1] ELSE [] END |
    MERGE (a:Claim {id: row.source}) MERGE (b:Entity {id: row.target})
    MERGE (a)-[r:LINKED {role: row.properties.role}]->(b) SET r += row.properties)
FOREACH (x IN CASE WHEN row.kind = 'Verdict CITES Evidence' THEN [1] ELSE [] END |
    MERGE (a:Verdict {id: row.source}) MERGE (b:Evidence {id: row.target})
    MERGE (a)-[r:CITES]->(b) SET r += row.properties)
FOREACH (x IN CASE WHEN row.kind = 'Entity FACT Entity' THEN [1] ELSE [] END |
    MERGE (a:Entity {id: row.source}) MERGE (b:Entity {id: row.target})
    MERGE (a)-[r:FACT {id: row.properties.id}]->(b) SET r += row.properties)
FOREACH (x IN CASE WHEN row.kind = 'Entity FACT Literal' THEN [1] ELSE [] END |
    MERGE (a:Entity {id: row.source}) MERGE (b:Literal {id: row.target})
    MERGE (a)-[r:FACT {id: row.properties.id}]->(b) SET r += row.properties)
FOREACH (x IN CASE WHEN row.kind = 'Answer GROUNDED_IN Evidence' THEN [1] ELSE [] END |
    MERGE (a:Answer {id: row.source}) MERGE (b:Evidence {id: row.target})
    MERGE (a)-[r:GROUNDED_IN]->(b) SET r += row.properties)
FOREACH (x IN CASE WHEN row.kind = 'Job CHECKS Document' THEN [1] ELSE [] END |
    MERGE (a:Job {id: row.source}) MERGE (b:Document {id: row.target})
    MERGE (a)-[:CHECKS]->(b))
FOREACH (x IN CASE WHEN row.kind = 'Job PART_OF Batch' THEN [1] ELSE [] END |
    MERGE (a:Job {id: row.source}) MERGE (b:Batch {id: row.target})
    MERGE (a)-[:PART_OF]->(b))
FOREACH (x IN CASE WHEN row.kind = 'Task STEP_OF Job' THEN [1] ELSE [] END |
    MERGE (a:Task {id: row.source}) MERGE (b:Job {id: row.target})
    MERGE (a)-[:STEP_OF]->(b))
FOREACH (x IN CASE WHEN row.kind = 'Graph FROM Document' THEN [1] ELSE [] END |
    MERGE (a:Graph {id: row.source}) MERGE (b:Document {id: row.target})
    MERGE (a)-[:FROM]->(b))
FOREACH (x IN CASE WHEN row.kind = 'Graph USES Predicate' THEN [1] ELSE [] END |
    MERGE (a:Graph {id: row.source}) MERGE (b:Predicate {id: row.target})
    MERGE (a)-[:USES]->(b))
FOREACH (x IN CASE WHEN row.kind = 'Fetch INTO Graph' THEN [1] ELSE [] END |
    MERGE (a:Fetch {id: row.source}) MERGE (b:Graph {id: row.target})
    MERGE (a)-[:INTO]->(b))
FOREACH (x IN CASE WHEN row.kind = 'Run AGAINST Document' THEN [1] ELSE [] END |
    MERGE (a:Run {id: row.source}) MERGE (b:Document {id: row.target})
    MERGE (a)-[:AGAINST]->(b))
FOREACH (x IN CASE WHEN row.kind = 'Run AGAINST Graph' THEN [1] ELSE [] END |
    MERGE (a:Run {id: row.source}) MERGE (b:Graph {id: row.target})
    MERGE (a)-[:AGAINST]->(b))
FOREACH (x IN CASE WHEN row.kind = 'Evidence FROM Document' THEN [1] ELSE [] END |
    MERGE (a:Evidence {id: row.source}) MERGE (b:Document {id: row.target})
    MERGE (a)-[:FROM]->(b))
