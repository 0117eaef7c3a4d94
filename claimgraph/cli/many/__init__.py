"""Commands for many documents: submit them as a run, follow runs, start processes that stay."""
