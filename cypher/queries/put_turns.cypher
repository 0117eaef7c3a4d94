// Takes a turn at a host, or holds all turns there. Times are milliseconds of the store's own clock, so that no worker's
// clock matters. A turn that would come later than `longest` from now is not taken (-1 takes none), `pause` is how long
// from now nobody gets one, and a time more than an hour ahead is taken for a clock that was set back, and ignored.
// Setting the host locks the turn against a second writer before its time is read.
// params: rows [{id, longest, interval, pause}] where id is the host
// returns: id, start, delay
// index: turn_id
UNWIND $rows AS row
MERGE (t:Turn {id: row.id})
ON CREATE SET t.free = 0
SET t.host = row.id
WITH row, t, datetime().epochMillis AS now
WITH row, t, now, CASE WHEN t.free < now OR t.free - now > 3600000 THEN now ELSE t.free END AS start
WITH t, start, start - now AS delay, now + row.pause AS until,
    CASE WHEN start - now <= row.longest THEN start + row.interval ELSE start END AS after
SET t.free = CASE WHEN after < until THEN until ELSE after END
RETURN t.id AS id, start, delay
