"""Score facts and nodes as answers to a question."""
