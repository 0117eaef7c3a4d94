"""Compare a statement with one sentence by what needs no model: values, negations, opposites, roles, order, lists.

Begin at `judgement.py`.
"""
