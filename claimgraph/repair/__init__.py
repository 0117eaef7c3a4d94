"""Correct a text and check it again; retrofit a draft; record what a person rules.

Start with `correction.py`.
"""
