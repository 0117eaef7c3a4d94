"""List the wordings that a question for a relation may be like: its names, and the ways in which people ask for it.

"what kind of film is" is nearer to "film" than to "genre", so names alone find the wrong relation. A question about a
fact's object asks in other words than one about its subject, and for Freebase's relations by another name: who asks for
the label of an artist asks for the subject of `/music/record_label/artist`.
"""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files

from claimgraph.kgstore.naming import display_name, relation_name


def names(identity: str, name: str, *, turned: bool) -> tuple[str, ...]:
    """Return the names of what a relation leads to, from its subject or, `turned`, from its object; none where the
    relation's name is only its key.
    """
    said = relation_name(identity) if name == display_name(identity) else name
    if re.fullmatch(r"[A-Z]?\d+", said):
        return ()
    return (_subject(identity), said) if turned and _subject(identity) else (said,)


def wordings(identity: str, name: str, *, turned: bool) -> tuple[str, ...]:
    """Return the names and the ways to ask for them in that direction.

    Backwards, a relation with ways of its own is not asked for by its name: "the owner of X" is not what X owns.
    """
    found = names(identity, name, turned=turned)
    if not found:
        return ()
    straight, backwards = _forms().get(found[-1].casefold(), ((), ()))
    asked = backwards if turned else straight
    if len(found) > 1:
        asked += _forms().get(found[0].casefold(), ((), ()))[0]
    return (*(found[:-1] if turned and backwards else found), *asked)


@cache
def all_forms() -> tuple[str, ...]:
    """Return every known way to ask for a relation, in either direction."""
    return tuple(dict.fromkeys(text for sides in _forms().values() for side in sides for text in side))


def _subject(identity: str) -> str:
    """Return what the subjects of one of Freebase's relations are; empty for others: "record label"."""
    parts = identity.partition(":")[2].split("/")
    return parts[2].replace("_", " ") if len(parts) > 3 and not parts[0] else ""


@cache
def _forms() -> dict[str, tuple[tuple[str, ...], tuple[str, ...]]]:
    lines = (files("claimgraph.retrieval") / "answers" / "question_forms.txt").read_text(encoding="utf-8").splitlines()
    found: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {}
    for known, _, said in (line.partition(" = ") for line in lines if line and not line.startswith("#")):
        straight, _, turned = said.partition(" < ")
        ways = tuple(straight.split(" | ")), tuple(turned.split(" | ")) if turned else ()
        found |= dict.fromkeys(re.split(r", (?!written or|abolished or)", known), ways)
    return found
