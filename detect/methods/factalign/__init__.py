"""FactAlign (TrustNLP 2024): align triples by embedding.

Start with `detector.py`; `alignment.py` holds equations 2 and 3.
"""
