"""Explain a verdict: the minimal edit script (KEA Explain, Algorithm 1) and explanations by a language model."""
