"""Judge open-ended answers: FActScore, SAFE and G-Eval."""
