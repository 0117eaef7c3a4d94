"""Thin adapters for other libraries, each importing its own: spaCy, LangChain, LlamaIndex. They all use a Session."""
