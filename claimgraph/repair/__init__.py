"""Correct a text and check it again; retrofit a draft; record a person's rulings.

Start with `correction.py`.
"""
