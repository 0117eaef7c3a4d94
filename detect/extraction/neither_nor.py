"""What "neither ... nor" denies of two things, as a statement of each, so that one that is not so does not hide behind
the other: "Neither a bridge nor lights are planned" says "A bridge is not planned." and "Lights are not planned."."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from claimgraph.detect.extraction.assertion import asserted
from claimgraph.detect.extraction.atoms import Atom
from claimgraph.detect.extraction.clause_sentence import ClauseSentence, spoken_sentence
from claimgraph.detect.extraction.clause_words import main_words, trimmed
from claimgraph.detect.extraction.clauses import own_subject
from claimgraph.detect.text.syntax import SUBJECTS, is_verb

if TYPE_CHECKING:
    from spacy.tokens import Span, Token

    from claimgraph.detect.text.parse import Paragraph

_SINGULAR = {"are": "is", "were": "was", "have": "has", "do": "does"}
_PLURAL = {singular: plural for plural, singular in _SINGULAR.items()}
_MANY = frozenset({"i", "you", "we", "they"})
_OBJECTS = frozenset({"dobj", "attr", "acomp", "pobj"})


def denied_pairs(sentence: Span) -> dict[Token, tuple[Token, Token]]:
    """Return the main verbs of a sentence whose subjects or objects "neither ... nor" joins, with these two nouns."""
    found = {}
    for verb in sentence:
        if is_verb(verb) and verb.dep_ in {"ROOT", "conj"} and own_subject(verb) is not None and asserted(verb):
            joins = [token for token in main_words(verb) if token.lower_ in {"neither", "nor"}]
            pair = _joined(verb, *joins) if [token.lower_ for token in joins] == ["neither", "nor"] else None
            if pair is not None:
                found[verb] = pair
    return found


def denied_each(
    part: Paragraph, pairs: Mapping[Token, tuple[Token, Token]], names: Mapping[int, str]
) -> Iterator[tuple[Atom, ClauseSentence]]:
    """Yield a claim of each of the two nouns of `denied_pairs`."""
    for verb, pair in pairs.items():
        words = [token for token in main_words(verb) if token.lower_ not in {"neither", "nor"}]
        for noun, other in (pair, pair[::-1]):
            dropped = set(other.subtree) - (set(noun.subtree) if noun in other.subtree else set())
            kept = trimmed([token for token in words if token not in dropped])
            subject = noun if pair[0].i < verb.i else own_subject(verb)
            assert subject is not None, "a verb of a pair has a subject"
            last, denied = _denied(verb, subject)
            before, after = [t for t in kept if t.i < last.i], [t for t in kept if t.i > last.i]
            yield (
                Atom(tuple(before), tuple(denied), tuple(after)),
                spoken_sentence(part, [*before, *denied, *after], names),
            )


def _joined(verb: Token, neither: Token, nor: Token) -> tuple[Token, Token] | None:
    """Return the nouns that the words join: both before the verb as its subjects, or both after it."""
    first = next(
        (t for t in (neither.head, nor.head) if t.dep_ in SUBJECTS | _OBJECTS and neither.i < t.i < nor.i), None
    )
    if first is None:
        return None
    others = [c for c in first.children if c.dep_ == "conj" and c.i > nor.i]
    others += [c for c in verb.children if c.dep_ in SUBJECTS and c.i > nor.i and first.dep_ in SUBJECTS]
    return (first, others[0]) if len(others) == 1 else None


def _denied(verb: Token, subject: Token) -> tuple[Token, list[Token | str]]:
    """Return the last word that is said anew, and what is said: the first auxiliary, a form of "be", or the verb with
    "do", each with "not", as it stands after this subject.
    """
    finite = next((child for child in verb.children if child.dep_ in {"aux", "auxpass"}), verb)
    if finite != verb or verb.lemma_ == "be":
        return finite, ["cannot"] if finite.lower_ == "can" else [_agreeing(finite, subject), "not"]
    do = "did" if verb.tag_ == "VBD" else "do" if _is_plural(subject) else "does"
    return verb, [do, "not", verb.lemma_]


def _is_plural(noun: Token) -> bool:
    """Return whether a noun without what is joined to it takes a plural verb."""
    return noun.tag_ in {"NNS", "NNPS"} or noun.lower_ in _MANY


def _agreeing(finite: Token, noun: Token) -> Token | str:
    """Return the finite word as it stands after one noun alone."""
    return (_PLURAL if _is_plural(noun) else _SINGULAR).get(finite.lower_, finite)
