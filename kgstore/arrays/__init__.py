"""A stored graph as arrays, exported by Cypher.

Start with `export.py`.
"""
