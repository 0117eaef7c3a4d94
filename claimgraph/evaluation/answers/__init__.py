"""Measure answers: questions with gold answers, open-ended answers, robustness under perturbation.

Start with `qa.py` and `open_qa.py`.
"""
