// Entities are found by name. Numbers of verdicts were nodes until here, and are properties (kgstore/engines/renewal.py).
// params: none
// returns: nothing
// index: makes them
DROP CONSTRAINT signal_id IF EXISTS;
CREATE INDEX entity_name IF NOT EXISTS FOR (n:Entity) ON (n.name);
