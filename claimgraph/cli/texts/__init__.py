"""Commands on one text or question: check, correct, retrofit, ask, and what was found."""
