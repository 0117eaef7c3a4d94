"""Antecedents by rule, after Lappin and Leass (1994), where no model chooses them.

Candidates that agree in gender, number and animacy are weighed by grammatical role, recency and how often they were
spoken of.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from claimgraph.detect.extraction.coreference.mentions import Form, Mention
from claimgraph.detect.extraction.coreference.referents import Referent
from claimgraph.detect.text.gendered_names import GROUP_NOUNS, words
from claimgraph.detect.text.syntax import SUBJECTS, is_verb

if TYPE_CHECKING:
    from spacy.tokens import Token

_KINDS = {Form.HE: "m", Form.SHE: "f", Form.IT: "n", Form.THEY: "p"}
_REACH = {"m": 12, "f": 12, "n": 3, "p": 3}
"""Sentences back to a name, by kind of pronoun."""
_ROLES = {"nsubj": 4.0, "nsubjpass": 4.0, "dobj": 2.0, "pobj": 1.0, "poss": 1.0}
_KINDS_OF_NOUNS = (
    (words("film movie book novel album song series show game play"), frozenset({"group", "place", "thing", "any"})),
    (words("country state city town village island region"), frozenset({"place"})),
    (GROUP_NOUNS | words("label studio museum magazine newspaper network"), frozenset({"group"})),
)
"""What kind of name a common noun may speak of; a work's name is any kind of name but a person's."""


def pronoun(
    referents: Sequence[Referent], sentence: int, token: Token, mention: Mention, here: Mapping[int, Referent]
) -> Referent | None:
    """Whom a pronoun of the numbered sentence means; `here` are the sentence's referents by token."""
    wanted = _KINDS[mention.form]
    if mention.expletive:
        return None
    barred = _coarguments(token, here)
    fits = [r for r in referents if _agrees(r, wanted, sentence) and not any(r is b for b in barred)]
    return max(fits, key=lambda r: (_weight(r, token, wanted, sentence, here), r.sentence, r.position), default=None)


def definite(referents: Sequence[Referent], sentence: int, made: Referent, token: Token) -> Referent | None:
    """What a definite noun of the numbered sentence means, which is `made` where it means nothing known."""
    if not _alone(token):
        return None
    noun = token.lemma_.casefold()
    for referent in reversed(referents):
        if noun in referent.said and referent.plural == made.plural:
            return referent
    groups = [r for r in referents if r.named and r.kind == "group"]
    if noun in GROUP_NOUNS and len(groups) == 1 and not made.plural:
        return groups[0]
    return _topic(referents, sentence, noun) if token.dep_ in SUBJECTS and not made.plural else None


def _topic(referents: Sequence[Referent], sentence: int, noun: str) -> Referent | None:
    """What "the film" or "the country" is in a text about one: the only such thing that was lately a subject."""
    kinds = next((kinds for nouns, kinds in _KINDS_OF_NOUNS if noun in nouns), frozenset())
    lately = [r for r in referents if r.named and r.role in SUBJECTS and sentence - r.sentence <= 3]
    fits = [r for r in lately if r.kind in kinds]
    return fits[0] if len(fits) == 1 else None


def _agrees(referent: Referent, kind: str, sentence: int) -> bool:
    if sentence - referent.sentence > (_REACH[kind] if referent.named else 2):
        return False
    if kind == "p":
        return referent.plural or referent.kind == "group"
    if referent.plural:
        return False
    if kind == "n":
        return referent.kind != "person"
    return referent.kind in {"person", "any"} and referent.gender in {kind, None}


def _weight(referent: Referent, token: Token, kind: str, sentence: int, here: Mapping[int, Referent]) -> float:
    person = kind in "mf"
    weight = _ROLES.get(referent.role, 0.0) + min(referent.count, 5) * 0.6
    weight += (4.0 if person else 1.0) * referent.named - 2.0 * (sentence - referent.sentence)
    if person and referent.gender is None:
        weight -= 1.5
    if kind == "p" and referent.named and referent.said & GROUP_NOUNS:
        weight += 4.0
    if token.tag_ == "PRP$" and any(r is referent for r in _clause_subjects(token, here)):
        weight += 2.0
    return weight


def _alone(token: Token) -> bool:
    """ "the company", with nothing after it, owned by it or more than one of it: what the rules can tell."""
    children = list(token.children)
    return any(c.lower_ in {"the", "this"} for c in children) and not any(c.dep_ == "case" for c in children)


def _coarguments(token: Token, here: Mapping[int, Referent]) -> list[Referent]:
    """Referents that a plain object pronoun cannot mean: the subjects of its verb."""
    if token.tag_ == "PRP$" or token.dep_ in SUBJECTS or token.lower_.endswith(("self", "selves")):
        return []
    return list(_clause_subjects(token, here))


def _clause_subjects(token: Token, here: Mapping[int, Referent]) -> Iterator[Referent]:
    verb = next((a for a in token.ancestors if is_verb(a)), None)
    for child in verb.children if verb is not None else ():
        if child.dep_ in SUBJECTS and child.i in here:
            yield here[child.i]
