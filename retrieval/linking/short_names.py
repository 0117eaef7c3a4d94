"""Resolve later, shorter names of an entity: "Einstein" after "Albert Einstein", "WHO" after the full name.

Towns and asteroids share surnames, so a surname alone takes the link of the full name, also a NIL. Only persons are
called by their last word: "Korea" after "South Korea" is another thing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from claimgraph.retrieval.linking.name_similarity import name_words

_OF_PERSONS = ("birth", "born", "death", "gender", "sex or gender", "occupation", "profession", "citizenship", "spouse")
_SMALL = {"of", "and", "for", "the", "in", "de", "du", "von", "van"}
_SURNAME_AFTER = range(2, 5)
"""Words of a person's full name."""


def full_names(names: Sequence[str], is_person: Callable[[str], bool]) -> Mapping[str, str]:
    """Map each short name to the one earlier name it abbreviates; names that abbreviate two are left out.

    `names` are in text order; `is_person` says whether the entity linked to a full name is or may be a person.
    """
    found = {}
    for i, short in enumerate(names):
        longer = [name for name in names[:i] if _acronym(short, name) or (_surname(short, name) and is_person(name))]
        if len({name_words(name) for name in longer}) == 1:
            found[short] = longer[0]
    return found


def of_person(relations: Sequence[str]) -> bool:
    """Return whether the names of an entity's outgoing relations are those of a person."""
    return any(told in relation.lower() for relation in relations for told in _OF_PERSONS)


def _surname(short: str, name: str) -> bool:
    words = name.split()
    proper = all(word[:1].isupper() for word in words if word.lower() not in _SMALL) and "of" not in words
    one, many = name_words(short), name_words(name)
    return proper and len(one) == 1 and len(many) in _SURNAME_AFTER and many[-1:] == one and short[:1].isupper()


def _acronym(short: str, name: str) -> bool:
    letters = "".join(word[0] for word in name.replace("-", " ").split() if word.lower() not in _SMALL)
    bare = short.replace(".", "")
    return len(bare) > 1 and bare.isupper() and bare == letters.upper()
