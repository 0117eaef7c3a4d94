"""The Weisfeiler-Lehman kernel of KEA Explain: two knowledge graphs compared, and the distance by claim.

Start with `comparison.py`.
"""
