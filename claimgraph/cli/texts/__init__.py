"""Commands on one text or question: check, correct, retrofit, ask, and the verdicts."""
