"""The cached world: Wikidata, DBpedia and Wikipedia fetched into the store.

Start with `cache.py`.
"""
