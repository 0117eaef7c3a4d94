"""Make data sets: texts with one known error, drafts with known facts, questions and perturbed graphs."""
