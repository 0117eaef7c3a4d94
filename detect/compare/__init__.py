"""Compare one claim with one fact or one sentence.

Start with `fact_match.py` and `passage_match.py`; `decision_rules.py` holds every threshold.
"""
