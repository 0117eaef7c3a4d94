"""KGR (Guan et al. 2023): a draft held against a graph and rewritten until nothing is refuted.

Start with `protocol.py`, a pure generator.
"""
