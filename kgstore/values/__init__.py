"""Typed values: dates, quantities, units, and their comparison.

Start with `literals.py`.
"""
