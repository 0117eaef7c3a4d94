"""Which things a text speaks of, by the names its claims give them: what to fetch for it."""

from __future__ import annotations

import re
from collections.abc import Iterable

from claimgraph.detect.text.words import is_name
from claimgraph.kgstore.model import Claim

_ARTICLES = ("the ", "a ", "an ")
_NAME = re.compile(r"(?!The\b|A\b|An\b)[^\W\d_a-z][\w'’.-]*(?:\s+(?:(?:of|de|von|van|da)\s+)?[^\W\d_a-z][\w'’-]*)*")


def mentioned(claims: Iterable[Claim]) -> list[str]:
    """Return names in the order in which the claims have them as subject or object, each once, without articles.

    A phrase that is no name gives the runs of capitalised words in it: "the first woman in France" gives "France".
    """
    found: dict[str, None] = {}
    for claim in claims:
        for phrase in (claim.subject, claim.object):
            found.update(dict.fromkeys([_bare(phrase)] if is_name(phrase) else _NAME.findall(phrase)))
    return list(found)


def _bare(name: str) -> str:
    return next((name[len(a) :] for a in _ARTICLES if name.lower().startswith(a)), name)
