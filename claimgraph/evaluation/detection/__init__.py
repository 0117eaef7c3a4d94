"""Measure detection methods on labelled texts, with intervals, baselines and a journal.

Start with `run.py`, which is `claimgraph eval detection`.
"""
