// Puts batches under another budget.
// params: rows [{id, maxSeconds, maxCalls, maxTokens}]
// returns: nothing
// index: batch_id
UNWIND $rows AS row
MATCH (b:Batch {id: row.id})
SET b.maxSeconds = row.maxSeconds, b.maxCalls = row.maxCalls, b.maxTokens = row.maxTokens
