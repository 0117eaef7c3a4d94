"""A sentence as one claim, for what no clause of it says."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from claimgraph.detect.extraction.atoms import Atom
from claimgraph.detect.extraction.clause_sentence import ClauseSentence, whole_sentence
from claimgraph.detect.text.syntax import SUBJECTS, is_finite, is_full, is_verb, phrase, strip, verb_group

if TYPE_CHECKING:
    from spacy.tokens import Span

    from claimgraph.detect.text.parse import Paragraph

_SENTENCE = 3
"""Words that a sentence without a verb has at least, if the parser is to be doubted."""


def whole(part: Paragraph, sentence: Span, names: Mapping[int, str]) -> Iterator[tuple[Atom, ClauseSentence]]:
    """A sentence as one claim, for what no clause of it says: what stands before its verb, the verb, and the rest."""
    root = sentence.root if is_verb(sentence.root) else next((t for t in sentence if is_finite(t)), None)
    if root is None:
        yield from _unread(part, sentence, names)
        return
    verbs = verb_group(root)
    first, last = verbs[0].i, verbs[-1].i
    before = strip([token for token in sentence if token.i < first])
    after = strip([token for token in sentence if token.i > last])
    said = next((child for child in root.children if child.dep_ in SUBJECTS and child.i < first), None)
    subject = [t for t in phrase(said, loose=True) if t.i < first] if said is not None else before
    if not after:
        verbs, after = verbs[:1], verbs[1:]
    if subject and after:
        yield Atom(tuple(subject), tuple(verbs), tuple(after)), whole_sentence(part, sentence, names)


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
