"""Compare two knowledge graphs by the Weisfeiler-Lehman kernel of KEA Explain, and attribute the distance to claims.

Start with `comparison.py`.
"""
