"""Find out whom pronouns, short names and definite nouns mean, by rules and by a mention ranker.

Start with `resolution.py`; `discourse.py` keeps what a text has spoken of.
"""
