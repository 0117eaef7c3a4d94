"""OKGQA's retrieval: personalised PageRank, prizes, and triplets, paths or a Steiner tree.

Start with `retrieve.py`.
"""
