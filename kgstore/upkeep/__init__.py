"""Look after a store: back up, copy, forget, count, find stale verdicts."""
