"""Split names into words for the full-text index: one function for stored names and for queries.

Lucene and kglite read the same query text differently (quotes, slashes, AND, *), but not words of letters and digits.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

_MOST = 64
_WORD = re.compile(r"[^\W_]+")
_TOKEN = re.compile(r"\w+|[^\w\s]")


@lru_cache(maxsize=65536)
def same_name(name: str) -> str:
    """Return a form that two names share if they differ in case, accents and punctuation only."""
    return " ".join(_words(name))


def search_words(*names: str) -> list[str]:
    """Return the distinct words of names, in order: compatibility forms unified, accents dropped, case folded."""
    return list(dict.fromkeys(_words(" ".join(names))))


def search_text(*names: str) -> str:
    """Return the `searchText` of an entity of these names."""
    return " ".join(search_words(*names))


def search_query(mention: str) -> str:
    """Return the full-text query for a mention: its first words; "" for one without letters or digits."""
    return " ".join(search_words(mention)[:_MOST])


def tokens(text: str) -> int:
    """Estimate the number of tokens a language model reads: the text's words, and its punctuation marks one by one."""
    return len(_TOKEN.findall(text))


def _words(text: str) -> list[str]:
    decomposed = unicodedata.normalize("NFKD", text)
    bare = "".join(char for char in decomposed if not unicodedata.combining(char))
    return _WORD.findall(bare.casefold())
