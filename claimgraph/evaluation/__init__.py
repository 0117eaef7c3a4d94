"""Measure every part of claimgraph on labelled files: one module a part, each with an `evaluate`.

Detection is the largest, and `detection.run.evaluate` its entry point:

labelled rows ──cases──▶ Case ──Detector──▶ results (journal) ──units──▶ labels, scores ──figures──▶ report

`extraction`, `coreference`, `explanation`, `correction`, `linking`, `facts`, `answers` and `retrofit` are independent.
"""
