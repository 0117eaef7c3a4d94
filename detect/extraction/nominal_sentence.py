"""Appositions and titles as sentences, with the verb that they were written without."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from claimgraph.detect.extraction.atoms import Atom, being, core
from claimgraph.detect.extraction.clause_sentence import ClauseSentence, as_sentence, words_said
from claimgraph.detect.extraction.clause_words import gathered, trimmed
from claimgraph.detect.extraction.clauses import Argument, Clause, ClauseKind, Role
from claimgraph.detect.extraction.nominals import nominal_atoms
from claimgraph.detect.text.syntax import after_comma

if TYPE_CHECKING:
    from spacy.tokens import Token

    from claimgraph.detect.text.parse import Paragraph


def nominal_sentence(part: Paragraph, clause: Clause, atom: Atom, names: Mapping[int, str]) -> ClauseSentence:
    """An apposition or title as a sentence with the verb that it was written without."""
    noun, head = clause.subject, clause.arguments[0].head
    be = " ".join(piece for piece in atom.predicate if isinstance(piece, str))
    subject: Sequence[Token] = atom.subject
    rest: Sequence[Token] = atom.object
    if be in {"has", "had"}:
        subject, be, rest = core(noun), being(noun, noun), core(head)
    elif clause.kind is ClauseKind.APPOSITION and head not in subject and head in (*atom.predicate, *atom.object):
        others = {c for c in head.children if c.dep_ == "conj" and c.ent_type_ == "PERSON" != head.ent_type_}
        rest = trimmed(gathered(head, others | {c for c in head.children if c.dep_ == "relcl" and after_comma(c)}))
    if len(atom.predicate) > 1 and head not in rest:
        return ClauseSentence()
    article = {rest[0].i: rest[0].lower_} if rest[0].is_sent_start and rest[0].tag_ in {"DT", "PRP$"} else {}
    about = words_said(part, subject, names)
    said = words_said(part, rest, {**article, **_of_others(names, about.casefold())})
    single = len(rest) == 1 and rest[0].is_sent_start
    if (
        (rest[-1].tag_ == "NN" or single)
        and not after_comma(head)
        and not any(t.dep_ in {"det", "nummod"} or (t.dep_ == "poss" and t.tag_ != "NNS") for t in rest)
    ):
        said = _with_article(said, lowered=bool(rest[0].is_sent_start) and not rest[0].ent_type_)
    return ClauseSentence(as_sentence(f"{about} {be} {said}"), (*subject, *rest))


def _of_others(names: Mapping[int, str], about: str) -> dict[int, str]:
    """The names in place of tokens without those of what the sentence is about; "" belongs to the name before it."""
    kept: dict[int, str] = {}
    other = True
    for i, name in sorted(names.items()):
        other = re.sub("['’]s?$", "", name).casefold() not in about if name else other
        if other:
            kept[i] = name
    return kept


def aside_sentence(part: Paragraph, verb: Token, names: Mapping[int, str]) -> ClauseSentence | None:
    """The apposition that a clause belongs to, as a sentence: "Hale, a manager who has denied it, was freed"."""
    head = next((token for token in verb.ancestors if token.dep_ == "appos"), None)
    if head is None:
        return None
    clause = Clause(ClauseKind.APPOSITION, head.head, (), (Argument(Role.COMPLEMENT, head),), "be")
    found = next(nominal_atoms(clause), None)
    said = nominal_sentence(part, clause, found, names) if found is not None else ClauseSentence()
    return said if verb in said.tokens else None


_VOWEL = re.compile(r"[aeio]|u(?!ni(?!n)|s[aeiu])", re.IGNORECASE)
"""How a word begins after "an": "an uncle", "an uninvited guest", but "a union", "a user"."""


def _with_article(said: str, *, lowered: bool) -> str:
    """A kind of thing with "a" or "an"; a title that is written with a capital stays: "was Mayor"."""
    said = f"{said[0].lower()}{said[1:]}" if lowered else said
    title = said[0].isupper() and " " not in said
    return said if title else f"{'an' if _VOWEL.match(said) else 'a'} {said}"
