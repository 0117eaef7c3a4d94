"""Explain a verdict: the contrasting evidence, its frozen copy, and one sentence in words."""
