"""KGR (Guan et al. 2023): check a draft against a graph and rewrite it until nothing is refuted.

Start with `protocol.py`, a pure generator.
"""
