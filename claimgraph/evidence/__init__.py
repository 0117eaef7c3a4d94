"""What claims are checked against: a context, stored graphs, or both.

Start with `context.py` (closed domain) and `graphs.py` (open domain).
"""
