"""A sentence as one claim, for what no clause of it says."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from claimgraph.detect.extraction.atoms import Atom
from claimgraph.detect.extraction.clause_sentence import ClauseSentence, made, whole_sentence
from claimgraph.detect.extraction.clause_words import broken, ill_formed, main_words, restricted_after, trimmed
from claimgraph.detect.text.syntax import SUBJECTS, is_finite, is_full, is_verb, strip, verb_group

if TYPE_CHECKING:
    from spacy.tokens import Span, Token

    from claimgraph.detect.text.parse import Paragraph
    from claimgraph.kgstore.model import Claim

_SENTENCE = 3
"""Words that a sentence without a verb has at least, if the parser is to be doubted."""


def whole(
    part: Paragraph, sentence: Span, names: Mapping[int, str], claims: Sequence[Claim]
) -> Iterator[tuple[Atom, ClauseSentence]]:
    """A sentence as one claim, for what no clause of it says: what stands before its verb, the verb, and the rest.

    Clauses of which `claims` tell are left out where what remains is a sentence.
    """
    root = sentence.root if is_verb(sentence.root) else next((t for t in sentence if is_finite(t)), None)
    if root is None:
        yield from _unread(part, sentence, names)
        return
    own = _own_words(part, root, claims)
    said = made(part, own, names) if own else whole_sentence(part, sentence, names)
    yield from _around(root, own or list(sentence), said)


def whole_clause(part: Paragraph, verb: Token, names: Mapping[int, str]) -> Iterator[tuple[Atom, ClauseSentence]]:
    """A clause as one claim, where its words are a sentence."""
    own = trimmed(main_words(verb))
    if not broken(own) and not ill_formed(verb, own):
        yield from _around(verb, own, made(part, own, names))


def _around(root: Token, own: Sequence[Token], said: ClauseSentence) -> Iterator[tuple[Atom, ClauseSentence]]:
    """The words as a claim: what stands before the verb, the verb, and the rest."""
    verbs = verb_group(root)
    first, last = verbs[0].i, verbs[-1].i
    before = strip([token for token in own if token.i < first])
    after = strip([token for token in own if token.i > last])
    noun = next((child for child in root.children if child.dep_ in SUBJECTS and child.i < first), None)
    subject = strip([t for t in before if noun in {t, *t.ancestors}]) if noun is not None else before
    if not after:
        verbs, after = verbs[:1], verbs[1:]
    if subject and after:
        yield Atom(tuple(subject), tuple(verbs), tuple(after)), said


def _own_words(part: Paragraph, root: Token, claims: Sequence[Claim]) -> list[Token]:
    """The words of a sentence without its clauses of which claims tell; none where that is no sentence."""
    own = trimmed(main_words(root))
    places = [part.span(t.i, t.i).start for t in root.sent if t not in own and not t.is_punct and t.dep_ != "cc"]
    told = all(any(claim.span.start <= at < claim.span.end for claim in claims) for at in places)
    clear = not broken(own) and not ill_formed(root, own) and not restricted_after(own)
    return own if root.dep_ == "ROOT" and told and clear else []


def _unread(part: Paragraph, sentence: Span, names: Mapping[int, str]) -> Iterator[tuple[Atom, ClauseSentence]]:
    """A full sentence in which the parser saw no verb: its first noun phrase, the word after it, and the rest."""
    words = [token for token in sentence if not token.is_space and not token.is_punct]
    rest = [token for token in words if token.i > sentence.root.i]
    subject = [token for token in words if token.i <= sentence.root.i]
    if len(rest) < 2:
        subject, rest = words[:-2], words[-2:]
    bare = sentence.root.i == words[0].i and sentence.root.tag_ in {"NN", "NNP"}
    if is_full(sentence) and not bare and len(words) >= _SENTENCE and len(rest) > 1:
        yield Atom(tuple(subject), (rest[0],), tuple(rest[1:])), whole_sentence(part, sentence, names)
