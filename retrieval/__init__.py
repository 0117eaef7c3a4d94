"""Evidence for a claim or a question: pure functions over a read view of a graph."""
