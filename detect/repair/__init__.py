"""Correct a text where the evidence refutes it: replacement by rules, GraphCorrect, KGR.

Start with `correction.py`.
"""
