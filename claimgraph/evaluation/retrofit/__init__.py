"""Measure retrofitting on drafts whose facts are known.

Start with `run.py`, which is `claimgraph eval retrofit`.
"""
