"""Fit weights and thresholds to labelled texts.

Start with `calibrate.py`, which is `claimgraph eval calibrate`.
"""
