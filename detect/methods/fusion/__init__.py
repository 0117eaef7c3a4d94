"""All methods fused into one calibrated verdict.

Start with `detector.py`.
"""
