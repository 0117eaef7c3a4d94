"""Labelled files in, how good each part of claimgraph is out: one module a part, each with an `evaluate`.

Detection is the largest, and `run.evaluate` its way in:

labelled rows ──cases──▶ Case ──Detector──▶ results (journal) ──units──▶ labels, scores ──figures──▶ report

`extraction`, `explanation`, `correction`, `linking`, `facts`, `qa` and `open_qa` stand for themselves.
"""
