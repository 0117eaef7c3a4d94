"""FactAlign (TrustNLP 2024): triples aligned by embedding.

Start with `detector.py`; `alignment.py` holds equations 2 and 3.
"""
