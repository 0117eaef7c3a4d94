"""Print for all commands: tables, JSON, progress bars, and the cost of language models."""
