// Writes batches and makes them active, under the budget given now. What one that is there has spent stays.
// params: rows [{id, kind, options, bulk, maxSeconds, maxCalls, maxTokens, at}]
// returns: nothing
// index: batch_id
UNWIND $rows AS row
MERGE (b:Batch {id: row.id})
ON CREATE SET b.kind = row.kind, b.options = row.options, b.bulk = row.bulk, b.createdAt = row.at, b.seconds = 0.0,
    b.calls = 0, b.tokens = 0
SET b.state = 'active', b.reason = null, b.maxSeconds = row.maxSeconds, b.maxCalls = row.maxCalls,
    b.maxTokens = row.maxTokens
