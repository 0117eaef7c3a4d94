// What is found by something other than its id: facts by graph and evidence, verdicts by outcome and time, names.
// params: none
// returns: nothing
// index: makes them
CREATE INDEX fact_graph IF NOT EXISTS FOR ()-[f:FACT]-() ON (f.graph);
CREATE INDEX verdict_outcome IF NOT EXISTS FOR (n:Verdict) ON (n.outcome);
CREATE INDEX verdict_created IF NOT EXISTS FOR (n:Verdict) ON (n.createdAt);
CREATE INDEX evidence_fact IF NOT EXISTS FOR (n:Evidence) ON (n.factId);
CREATE FULLTEXT INDEX entity_text IF NOT EXISTS FOR (n:Entity) ON EACH [n.searchText];
