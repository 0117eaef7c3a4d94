// What workers share: one batch, job and task an id; tasks and jobs found by their status, jobs by their context.
// params: none
// returns: nothing
// index: makes them
CREATE CONSTRAINT batch_id IF NOT EXISTS FOR (n:Batch) REQUIRE n.id IS UNIQUE;
CREATE CONSTRAINT job_id IF NOT EXISTS FOR (n:Job) REQUIRE n.id IS UNIQUE;
CREATE CONSTRAINT task_id IF NOT EXISTS FOR (n:Task) REQUIRE n.id IS UNIQUE;
CREATE INDEX task_status IF NOT EXISTS FOR (n:Task) ON (n.status);
CREATE INDEX job_status IF NOT EXISTS FOR (n:Job) ON (n.status);
CREATE INDEX job_context IF NOT EXISTS FOR (n:Job) ON (n.context);
