"""What is denied of two subjects, as a statement of each, so that one that is not so does not hide behind the other:
"Neither a bridge nor lights are planned" says "A bridge is not planned." and "Lights are not planned."."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from claimgraph.detect.extraction.assertion import asserted
from claimgraph.detect.extraction.atoms import Atom
from claimgraph.detect.extraction.clause_sentence import ClauseSentence, spoken_sentence
from claimgraph.detect.extraction.clause_words import main_words, trimmed
from claimgraph.detect.extraction.clauses import own_subject
from claimgraph.detect.text.syntax import is_finite, is_verb

if TYPE_CHECKING:
    from spacy.tokens import Span, Token

    from claimgraph.detect.text.parse import Paragraph

_SINGULAR = {"are": "is", "were": "was", "have": "has", "do": "does"}
_PLURAL = {singular: plural for plural, singular in _SINGULAR.items()}


def denied_each(part: Paragraph, sentence: Span, names: Mapping[int, str]) -> Iterator[tuple[Atom, ClauseSentence]]:
    """Yield a claim of each of two subjects that "neither ... nor" joins before a verb with an auxiliary, or "be"."""
    for verb in sentence:
        subject = own_subject(verb) if is_verb(verb) and verb.dep_ in {"ROOT", "conj"} else None
        finite = _finite(verb)
        if subject is None or finite is None or finite.i < subject.right_edge.i or not asserted(verb):
            continue
        joins = [c for c in subject.children if c.lower_ in {"neither", "nor"}]
        others = [c for c in subject.children if c.dep_ == "conj"]
        if [c.lower_ for c in joins] != ["neither", "nor"] or len(others) != 1:
            continue
        rest = trimmed([t for t in main_words(verb) if t.i > subject.right_edge.i and t != finite])
        for noun in (subject, others[0]):
            left_out = {*joins, *(others[0].subtree if noun == subject else ())}
            own = trimmed([token for token in noun.subtree if token not in left_out])
            said = spoken_sentence(part, [*own, _agreeing(finite, noun), "not", *rest], names)
            yield Atom(tuple(own), (finite, "not"), tuple(rest)), said


def _finite(verb: Token) -> Token | None:
    """Return the word that "not" follows: the first auxiliary, or a form of "be"."""
    helping = [c for c in verb.children if c.dep_ in {"aux", "auxpass"} and is_finite(c)]
    return helping[0] if helping else verb if verb.lemma_ == "be" and is_finite(verb) else None


def _agreeing(finite: Token, noun: Token) -> Token | str:
    """Return the finite word as it stands after one noun alone."""
    plural = noun.tag_ in {"NNS", "NNPS"} or noun.lower_ in {"you", "we", "they"}
    return (_PLURAL if plural else _SINGULAR).get(finite.lower_, finite)
