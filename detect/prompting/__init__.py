"""Ask a language model for an answer of a given form, and read it.

Start with `structured.py`; `prompts` holds the prompts.
"""
