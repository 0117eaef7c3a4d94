// How many jobs of workers are in which state, by the task that they are at.
// params: none
// returns: task, status, jobs
// index: none
MATCH (j:Job)
RETURN j.task AS task, j.status AS status, count(j) AS jobs
ORDER BY task, status
