"""Judge claims by stored graphs: the relations they state, when those held, and what a graph that lacks them says.

Start with `local_completeness.py` (values and their absence) and `in_time.py` (times).
"""
