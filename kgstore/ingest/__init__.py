"""Load files of triples into a graph of the store.

Start with `flow.py`.
"""
