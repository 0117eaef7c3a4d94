"""Link mentions to entities of a graph, or to none.

Start with `link.py`.
"""
