"""Labelled files in, what a detection method gets right out: `run.evaluate` is the way in.

labelled rows ──cases──▶ Case ──Detector──▶ results (journal) ──units──▶ labels, scores ──figures──▶ report
"""
