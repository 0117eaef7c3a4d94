"""Turn text into claims: clauses, coreference, atomic triples.

Start with `extractor.py`; `llm` and `corenlp` hold the other extractors.
"""
