// How many tasks that are not over are in which state, by stage.
// params: none
// returns: stage, status, tasks
// index: task_status
UNWIND ['queued', 'running', 'parked'] AS state
MATCH (t:Task {status: state})
RETURN t.stage AS stage, t.status AS status, count(t) AS tasks
ORDER BY stage, status
