"""Clauses as n-ary tuples, the way open extraction systems print and score them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from detect.carb import Tuple
from detect.clauses import Argument, Clause, Kind, Role, clauses
from detect.parse import Paragraph
from detect.syntax import phrase

if TYPE_CHECKING:
    from spacy.tokens import Token

CONFIDENCE = {
    Kind.VERB: 0.9,
    Kind.COPULA: 0.89,
    Kind.REDUCED: 0.7,
    Kind.APPOSITION: 0.6,
    Kind.POSSESSIVE: 0.5,
    Kind.TITLE: 0.65,
}


def tuples(paragraph: Paragraph) -> Iterator[Tuple]:
    for sentence in paragraph.doc.sents:
        for clause in clauses(sentence):
            yield render(paragraph, clause)


def render(paragraph: Paragraph, clause: Clause) -> Tuple:
    arguments = list(clause.arguments)
    relation = list(clause.predicate)
    rest: list[str] = []
    first = True
    for argument in arguments:
        marker = list(argument.marker)
        if first and argument.role is Role.OBLIQUE:
            relation += marker
            marker = []
        first = False
        rest.append(paragraph.words(marker + body(clause, argument)))
    name = " ".join([*([clause.supplied] if clause.supplied else []), paragraph.words(relation)]).strip()
    return Tuple(
        name, (paragraph.words(phrase(clause.subject, _own(clause, clause.subject))), *rest), CONFIDENCE[clause.kind]
    )


def body(clause: Clause, argument: Argument) -> list[Token]:
    if argument.role in {Role.CLAUSE, Role.ADJUNCT_CLAUSE}:
        return phrase(argument.head, loose=True)
    return phrase(argument.head, _own(clause, argument.head))


def _own(clause: Clause, head: Token) -> list[Token]:
    """Children of the head that hold the clause itself."""
    dropped = [child for child in head.children if clause.verb is not None and child == clause.verb]
    if clause.kind is Kind.POSSESSIVE:
        dropped += [c for c in head.children if c.dep_ == "poss" or (c.dep_ == "case")]
    return dropped
