"""How commands print: tables, JSON, progress bars, and the cost of language models."""
