"""Split a sentence at its coordinations into propositions, each with the words it shares with the others.

"18 % of patients on the drug and 4 % on placebo" says two things; the second has its verb and subject from the first.
The parser misreads such gaps, so chunks are found by tags, and what a later part replaces is found by their kinds.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise

from claimgraph.detect.compare.typed.sentence import Sentence, Value, Word
from claimgraph.kgstore.values import literals
from claimgraph.kgstore.values.quantities import Quantity

OWN, EARLIER, LATER = 1.0, 0.9, 0.6
"""How well a proposition has a word: in its own part, from an earlier one, from a later one."""
_JOINS = frozenset({"and", "but", "while", "whereas", "or", "yet", "because", "although", "though", "who", "which",
                    "where", "when", "unless", "if", "whether", ";", ":", ",", "–", "—", "then"})  # fmt: skip


@dataclass(frozen=True, slots=True)
class Chunk:
    """A phrase of a part: `kind` is S (noun before the verb), V, O (noun or adjective after it), VALUE, or a
    preposition.
    """

    kind: str
    words: tuple[Word, ...]
    value: Value | None = None


@dataclass(frozen=True, slots=True)
class Proposition:
    """`has` gives each available stem with how well it has it; `values` are those it is about; [start, end) its own
    tokens. `chunks` are its own.
    """

    start: int
    end: int
    chunks: tuple[Chunk, ...]
    has: Mapping[str, float]
    values: tuple[Value, ...]

    def verbs(self, value: Value) -> tuple[Word, ...]:
        """Return the words of the verb that a value belongs to: the last one before it, else the first; () for none."""
        before = [chunk.words for chunk in self.chunks if chunk.kind == "V" and chunk.words[0].at < value.at]
        after = [chunk.words for chunk in self.chunks if chunk.kind == "V"]
        return before[-1] if before else after[0] if after else ()

    def partner(self, chunk: Chunk) -> Chunk | None:
        """Return the own chunk of the kind of another part's chunk."""
        return next((own for own in self.chunks if own.kind == chunk.kind), None)


def propositions(sentence: Sentence) -> list[Proposition]:
    """Return what the sentence says, in order; one proposition where nothing is coordinated."""
    parts = [(start, end, tuple(_chunks(sentence, start, end))) for start, end in _parts(sentence)]
    parts = [(start, end, _named(chunks, parts[:row])) for row, (start, end, chunks) in enumerate(parts)]
    return [
        _proposition(
            start, end, chunks, [found for _, _, found in parts[:row]], [found for _, _, found in parts[row + 1 :]]
        )
        for row, (start, end, chunks) in enumerate(parts)
    ]


def _parts(sentence: Sentence) -> list[tuple[int, int]]:
    inside = {at for value in sentence.values for at in range(value.at, value.end)}
    cuts = [token.i for token in sentence.doc if token.lower_ in _JOINS and token.i not in inside]
    edges = [0, *cuts, len(sentence.doc)]
    found: list[tuple[int, int]] = []
    for start, end in pairwise(edges):
        fronted = len(found) == 1 and not _verbal(sentence, *found[0])
        apart = sentence.doc[start].text == ";" and start > 0
        if found and not apart and (fronted or not _stands(sentence, start, end) or not _stands(sentence, *found[-1])):
            found[-1] = (found[-1][0], end)
        else:
            found.append((start, end))
    return found


def _verbal(sentence: Sentence, start: int, end: int) -> bool:
    return any(chunk.kind == "V" for chunk in _chunks(sentence, start, end))


def _stands(sentence: Sentence, start: int, end: int) -> bool:
    """Return whether a part says something by itself or in the place of what another part says."""
    chunks = list(_chunks(sentence, start, end))
    full = any(chunk.kind == "V" or chunk.value for chunk in chunks)
    return len([chunk for chunk in chunks if chunk.words or chunk.value]) >= 2 and (full or len(chunks) >= 2)


def _chunks(sentence: Sentence, start: int, end: int) -> Iterator[Chunk]:
    """Yield the chunks of the tokens [start, end): a value ends a chunk, as do prepositions, verbs and articles."""
    words = {word.at: word for word in sentence.words}
    values = {value.at: value for value in sentence.values}
    kind, held, verbs, at = "S", list[Word](), 0, start
    while at < end:
        token = sentence.doc[at]
        if at in values:
            if held:
                yield Chunk(kind, tuple(held))
            value = values[at]
            yield Chunk(f"VALUE {type(value.parsed).__name__}", (), value)
            kind, held, at = "O" if verbs else "N", [], value.end
            continue
        starts = _starts(token, bool(verbs))
        if starts:
            if held:
                yield Chunk(kind, tuple(held))
            kind, held = starts, []
            verbs += starts == "V"
        if word := words.get(at):
            held.append(word)
        if starts == "V" and held:
            yield Chunk(kind, tuple(held))
            kind, held = "O", []
        at += 1
    if held:
        yield Chunk(kind, tuple(held))


def _starts(token: object, after_verb: bool) -> str:
    """Return the kind of chunk that a token begins, "" where it goes on with the one before."""
    from spacy.tokens import Token

    assert isinstance(token, Token)
    if (token.tag_.startswith("VB") and token.dep_ not in ("amod", "compound")) or token.tag_ == "MD":
        return "V"
    if token.dep_ in ("prep", "agent") or (token.tag_ in ("IN", "TO") and token.dep_ != "mark"):
        return token.lower_
    if token.tag_ in ("DT", "PRP$") and token.i and token.nbor(-1).tag_ != "IN":
        return "O" if after_verb else "S"
    return ""


def _named(chunks: tuple[Chunk, ...], before: list[tuple[int, int, tuple[Chunk, ...]]]) -> tuple[Chunk, ...]:
    """Return a part's chunks with the noun that it begins with named O where it goes on with what an earlier part does:
    "visited the city of Rome and the town of Pisa".
    """
    kinds = [chunk.kind for chunk in chunks]
    if not before or "V" in kinds or kinds[:1] != ["S"]:
        return chunks
    earlier, wanted = [chunk.kind for chunk in before[-1][2]], ["O", *kinds[1:]]
    runs = (earlier[at : at + len(wanted)] for at in range(len(earlier)))
    return (replace(chunks[0], kind="O"), *chunks[1:]) if wanted in runs else chunks


def _proposition(
    start: int, end: int, chunks: tuple[Chunk, ...], before: list[tuple[Chunk, ...]], after: list[tuple[Chunk, ...]]
) -> Proposition:
    has = {word.stem: OWN for chunk in chunks for word in chunk.words}
    earlier = [chunk for part in before for chunk in part]
    values = [_whole_value(chunk.value, earlier) for chunk in chunks if chunk.value]
    bare = [chunk.value for chunk in chunks if chunk.value and chunk is chunks[-1]]
    for chunk in earlier:
        inherited = _inherited(chunk, chunks) or (bare and chunk.kind == "O" and _counted(chunk, earlier))
        for word in chunk.words if inherited else _nouns(chunk, chunks):
            has.setdefault(word.stem, EARLIER)
        if not inherited:
            continue
        if chunk.value and not any(own.kind == chunk.kind for own in chunks):
            values.append(chunk.value)
    for part in after:
        gapped = not any(chunk.kind == "V" for chunk in part)
        for chunk in part:
            if gapped and chunk.kind not in ("S", "N") and not any(own.kind == chunk.kind for own in chunks):
                for word in chunk.words:
                    has.setdefault(word.stem, LATER)
    return Proposition(start, end, chunks, has, tuple(values))


def _counted(chunk: Chunk, earlier: list[Chunk]) -> bool:
    """Return whether a chunk follows a value: what "four" counts in "six rooms here and four there"."""
    row = earlier.index(chunk)
    return row > 0 and earlier[row - 1].value is not None


def _nouns(chunk: Chunk, own: tuple[Chunk, ...]) -> Iterator[Word]:
    """Yield the nouns of an earlier chunk that an own one leaves out: "the red seeds ..., the white ones"."""
    partner = next((other for other in own if other.kind == chunk.kind and other.words), None)
    if partner and not any(word.noun for word in partner.words):
        yield from (word for word in chunk.words if word.noun)


def _whole_value(value: Value, earlier: list[Chunk]) -> Value:
    """Return a bare number with the unit that an earlier one has: "3,200 euros and women 2,900"."""
    measured = [c.value for c in earlier if c.value and isinstance(c.value.parsed, Quantity) and c.value.parsed.unit]
    if not measured or not isinstance(value.parsed, Quantity) or value.parsed.unit is not None:
        return value
    unit = re.split(r"[\d.]\W*", measured[-1].text)[-1]
    parsed = literals.parse(f"{value.text} {unit}")
    return replace(value, parsed=parsed) if parsed else value


def _inherited(chunk: Chunk, own: tuple[Chunk, ...]) -> bool:
    """Return whether a part has a chunk from an earlier one: its subject where it has none, and where it has no verb
    all that it does not replace.
    """
    kinds = {other.kind for other in own}
    if chunk.kind in kinds or (chunk.kind == "S" and "N" in kinds):
        return False
    return chunk.kind == "S" or "V" not in kinds
