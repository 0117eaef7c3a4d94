"""Clauses as n-ary tuples, the way open extraction systems print them and CaRB scores them.

The analysis is that of the claims (clauses.py); only the rendering differs: all arguments of a verb stand in one tuple,
nothing is trimmed, no pronoun is resolved.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from claimgraph.detect.extraction.carb import Tuple
from claimgraph.detect.extraction.clauses import Argument, Clause, ClauseKind, Role, clauses
from claimgraph.detect.text.parse import Paragraph
from claimgraph.detect.text.syntax import phrase

if TYPE_CHECKING:
    from spacy.tokens import Token

CONFIDENCE = {
    ClauseKind.VERB: 0.9,
    ClauseKind.COPULA: 0.9,
    ClauseKind.REDUCED: 0.7,
    ClauseKind.TITLE: 0.65,
    ClauseKind.APPOSITION: 0.6,
    ClauseKind.POSSESSIVE: 0.5,
}
"""How sure a tuple is, by what it was read from: the more is written and the less supplied, the surer."""


def tuples(paragraph: Paragraph) -> Iterator[Tuple]:
    """One tuple a clause, in the order of the text."""
    for sentence in paragraph.doc.sents:
        for clause in clauses(sentence):
            yield render(paragraph, clause)


def render(paragraph: Paragraph, clause: Clause) -> Tuple:
    """The clause in words; a preposition right after the verb belongs to the relation, and a supplied verb is "be"."""
    first = clause.arguments[:1]
    leading = first[0].marker if first and first[0].role is Role.OBLIQUE else ()
    relation = f"{clause.supplied} {paragraph.words([*clause.predicate, *leading])}".strip()
    rest = [
        paragraph.words([*(argument.marker if i or not leading else ()), *_body(clause, argument)])
        for i, argument in enumerate(clause.arguments)
    ]
    subject = paragraph.words(phrase(clause.subject, _itself(clause, clause.subject)))
    return Tuple(relation, (subject, *rest), CONFIDENCE[clause.kind])


def _body(clause: Clause, argument: Argument) -> list[Token]:
    if argument.role in {Role.CLAUSE, Role.ADJUNCT_CLAUSE}:
        return phrase(argument.head, loose=True)
    return phrase(argument.head, _itself(clause, argument.head))


def _itself(clause: Clause, head: Token) -> list[Token]:
    """Children of a noun that hold the clause which is told of it, or its owner."""
    if clause.kind is ClauseKind.POSSESSIVE:
        return [child for child in head.children if child.dep_ in {"poss", "case"}]
    return [child for child in head.children if child == clause.verb]
