"""The words of a name, as the full-text index holds them and as it is asked: one function for both sides.

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
    """A form that two names share if they differ in case, accents and punctuation only."""
    return " ".join(_words(name))


def search_words(*names: str) -> list[str]:
    """Distinct words of names, in order: compatibility forms unified, accents dropped, case folded."""
    return list(dict.fromkeys(_words(" ".join(names))))


def search_text(*names: str) -> str:
    """What `searchText` holds for an entity of these names."""
    return " ".join(search_words(*names))


def search_query(mention: str) -> str:
    """What the full-text index is asked for a mention: its first words; "" for one without letters or digits."""
    return " ".join(search_words(mention)[:_MOST])


def tokens(text: str) -> int:
    """About how many tokens a language model reads a text as: its words, and its punctuation marks one by one."""
    return len(_TOKEN.findall(text))


def _words(text: str) -> list[str]:
    decomposed = unicodedata.normalize("NFKD", text)
    bare = "".join(char for char in decomposed if not unicodedata.combining(char))
    return _WORD.findall(bare.casefold())
