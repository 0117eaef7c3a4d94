// How many jobs of workers are in which state.
// params: none
// returns: status, jobs
// index: none
MATCH (j:Job)
RETURN j.status AS status, count(j) AS jobs
ORDER BY status
