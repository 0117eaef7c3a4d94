// The work of a job was several tasks until here, and is its own (kgstore/runs/restart.py).
// params: none
// returns: nothing
// index: makes them
DROP CONSTRAINT task_id IF EXISTS;
DROP INDEX task_status IF EXISTS;
