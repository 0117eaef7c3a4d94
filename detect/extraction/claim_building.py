"""A claim of an atom: its elements in words, where they stand, and the statement of its clause."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from claimgraph.detect.extraction.agreement import agreeing
from claimgraph.detect.extraction.atoms import Atom, Pieces, Words
from claimgraph.detect.extraction.clause_sentence import ClauseSentence
from claimgraph.detect.text.parse import Paragraph
from claimgraph.kgstore import identity
from claimgraph.kgstore.model import Claim, Document

if TYPE_CHECKING:
    from spacy.tokens import Token

_PROPER = frozenset({"NNP", "NNPS", "PRP"})


def built(document: Document, part: Paragraph, atom: Atom, said: ClauseSentence, names: Mapping[int, str]) -> Claim:
    """Return the claim of an atom, whose pronouns have the names `names`, with the statement of its clause."""
    written = [piece for piece in atom.predicate if not isinstance(piece, str)]
    span = part.cover([*atom.subject, *written, *atom.object, *said.tokens])
    subject = _subject(part, atom.subject, names)
    owner = subject.casefold()
    own = {i: name for i, name in names.items() if name.casefold() not in {f"{owner}'s", f"{owner}'"}}
    predicate = _predicate(part, atom.predicate, {**own, **agreeing(atom.subject, written)})
    object = atom.lemma or part.words(atom.object, {**_plain(atom.object), **own})
    if object.casefold() == owner:
        object = part.words(atom.object, _plain(atom.object))
    return Claim(
        id=identity.claim_id(document.id, span.start, span.end, subject, predicate, object),
        document=document.id,
        subject=subject,
        predicate=predicate,
        object=object,
        text=document.text[span.start : span.end],
        span=span,
        subject_span=part.run(atom.subject),
        predicate_span=part.run(written),
        object_span=part.run(atom.object),
        statement=said.text,
    )


def _subject(part: Paragraph, tokens: Words, names: Mapping[int, str]) -> str:
    """The subject with the full name in a pronoun's place; an owner without its "'s"."""
    said = part.words(tokens, names)
    alone = len(tokens) == 1 and tokens[0].tag_ == "PRP$"
    return said.removesuffix("'s").removesuffix("'") if alone else said


def _predicate(part: Paragraph, pieces: Pieces, names: Mapping[int, str]) -> str:
    """The pieces in order; a sentence's first word in lower case where only its place gave it a capital."""
    said: list[str] = []
    for kind, group in groupby(pieces, type):
        run = list(group)
        said.extend(run if kind is str else [part.words(run, {**_plain(run), **names})])  # type: ignore[arg-type]
    return " ".join(said)


def _helps(token: Token) -> str:
    """The verb that a short form stands for: "have" before a participle with an object, "he's received a prize"."""
    perfect = token.dep_ == "auxpass" and any(child.dep_ == "dobj" for child in token.head.children)
    return "have" if perfect and token.lemma_ == "be" else token.lemma_


def _plain(tokens: Sequence[Token]) -> dict[int, str]:
    said = {t.i: t.text.lower() for t in tokens if t.is_sent_start and t.tag_ not in _PROPER}
    short = {
        ("'s", "be"): "is",
        ("'s", "have"): "has",
        ("'re", "be"): "are",
        ("'ve", "have"): "have",
        ("'m", "be"): "am",
    }
    return {
        **said,
        **{t.i: f" {short[key]}" for t in tokens if (key := (t.lower_.replace("’", "'"), _helps(t))) in short},
    }
