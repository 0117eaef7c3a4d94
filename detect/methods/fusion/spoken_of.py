"""What the sentences of a context speak of: the names that their pronouns stand for.

A sentence is read by itself, and "At twenty he moved to Grantz" does not tell a model who did. The facts read from it
do: their subject is the name that the mention ranker found, where it was sure enough.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from claimgraph.detect.check_input import Case
from claimgraph.detect.text.span_index import SpanIndex
from claimgraph.detect.text.words import content

_IS = frozenset({"is", "was", "are", "were"})
_PREPOSITION = re.compile(r" (?:of|in|with|for|from|by|at|on|to|that|which|who) ")
"""What ends the name of a kind: "kettle with a capacity of 1.7 litres"."""
_PRONOUN = re.compile(r"\b(?:[Hh]e|[Ss]he|[Ii]t|[Tt]hey)\b")
_WORDS = 5
"""A subject of more words is no name."""


def subjects(case: Case) -> list[list[str]]:
    """Return for each sentence the subjects of the facts that were read from it, each once, in the facts' order."""
    triples = [case.facts.triple(fact) for fact in case.facts.facts]
    places = SpanIndex((fact.document, fact.span) for fact in case.facts.facts)
    found = []
    for home in case.passages:
        rows = places.starting(home.document, home.span.start, home.span.end) if home.span else []
        found.append(list(dict.fromkeys(triples[row].subject for row in rows)))
    return found


def described(case: Case, found: Sequence[Sequence[str]]) -> list[str]:
    """Return for each sentence its subjects, each with what the context says that it is.

    The sentence "It weighs 1.1 kg" speaks of the kettle, and "The kettle" of the name that is one.
    """
    triples = [case.facts.triple(fact) for fact in case.facts.facts]
    kinds = {one.subject: _PREPOSITION.split(one.object)[0] for one in reversed(triples) if one.predicate in _IS}
    called = kinds | {kind.rpartition(" ")[2]: name for name, kind in reversed(kinds.items()) if kind}
    return [" ".join(f"{subject} {called.get(subject, '')}" for subject in names) for names in found]


def named(text: str, found: Sequence[str]) -> str:
    """Return a sentence with its first pronoun replaced by the name it stands for; as it is where that is not clear.

    `found` are the sentence's subjects: it is clear where only one of them has no word in the sentence.
    """
    words, pronoun = set(content(text)), _PRONOUN.search(text)
    missing = [one for one in found if not words.intersection(content(one)) and not _PRONOUN.fullmatch(one)]
    if pronoun is None or len(missing) != 1 or len(missing[0].split()) > _WORDS:
        return text
    name = missing[0] if pronoun[0].islower() else missing[0][:1].upper() + missing[0][1:]
    return text[: pronoun.start()] + name + text[pronoun.end() :]
