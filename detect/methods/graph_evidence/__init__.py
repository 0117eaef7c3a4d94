"""Judge a fact by the rest of a graph: paths, types and rules.

Start with `judge.py`.
"""
