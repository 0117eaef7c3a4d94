// Deletes the records of what was brought in.
// params: rows [{id}]
// returns: nothing
// index: fetch_id
UNWIND $rows AS row
MATCH (t:Fetch {id: row.id})
DETACH DELETE t
