"""The words of a name, as the full-text index holds them and as it is asked: one function for both sides.

Lucene and kglite read the same query text differently (quotes, slashes, AND, *), but not words of letters and digits.
"""

from __future__ import annotations

import re
import unicodedata

_MOST = 64
_WORD = re.compile(r"[^\W_]+")


def search_words(*names: str) -> list[str]:
    """Distinct words in order: compatibility forms unified, accents dropped, case folded."""
    decomposed = unicodedata.normalize("NFKD", " ".join(names))
    bare = "".join(char for char in decomposed if not unicodedata.combining(char))
    return list(dict.fromkeys(_WORD.findall(bare.casefold())))


def search_text(*names: str) -> str:
    """What `searchText` holds for an entity of these names."""
    return " ".join(search_words(*names))


def search_query(mention: str) -> str:
    """What the full-text index is asked for a mention: its first words; "" for one without letters or digits."""
    return " ".join(search_words(mention)[:_MOST])
