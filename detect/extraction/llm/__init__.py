"""Claims by a language model; only what the text says is kept.

Start with `extractor.py`; `span_grounding.py` finds where the text says a triple.
"""
