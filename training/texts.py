"""The texts that pairs are made from, as sentences one can take out: introductions, Re-DocRED, FewRel, CoNLL04, CaRB.

Tokenised texts are set as a writer would set them, since tokens with spaces around them would tell where a text is
from. Sentences are cut by punctuation alone; what ends in an abbreviation or an initial is joined again.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from training.pair import rows

_END = re.compile(r"(?<=[.!?])(?:[\"')\]”]*)\s+(?=[\"'“]*[A-Z0-9]|\([A-Z])")
_ABBREVIATED = re.compile(
    r"(?:\b(?:[A-Z]|Jr|Sr|Dr|Mr|Mrs|Ms|St|vs|[Nn]os?|Lt|Gen|Col|Capt|Sgt|Prof|Rev|Hon|Gov|Sen|Rep|Inc|Co|Corp|Ltd|Bros|Mt|Ft"
    r"|ca|cf|approx|Jan|Feb|Mar|Apr|Aug|Sept|Oct|Nov|Dec|e\.g|i\.e)|\b(?:[A-Za-z]\.)+[A-Za-z])\.$"
)
_TIGHT = ((r" ([,.;:!?%)\]])", r"\1"), (r"([(\[$£€]) ", r"\1"), (r" ('s|n't|'re|'ve|'ll|'d|'m|’s)\b", r"\1"))
_SPACED = re.compile(r"(?<=\w) - (?=\w)|(?<=\d) – (?=\d)")
_CLEANED = (
    (r"\s+", " "),
    (r"(?<=[a-z0-9)])\.(?=[A-Z][a-z])", ". "),
    (r"\(\s*[;,]\s*", "("),
    (r"(?<=\()(?:[^();]*:\s*;\s*)+", ""),
    (r"\(\s*\)", ""),
    (r" +([,.;)])", r"\1"),
    (r" {2,}", " "),
)


@dataclass(frozen=True, slots=True)
class Named:
    """A thing a text names: `names` as they stand in it, `kind` in the words of its source."""

    names: tuple[str, ...]
    kind: str


@dataclass(frozen=True, slots=True)
class Stated:
    """A triple that a text states; `evidence` are the rows of the sentences it rests on, empty where nobody said."""

    head: str
    relation: str
    tail: str
    evidence: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Text:
    """`id` tells texts apart over all sources; `title` is None where the text is about nothing in particular."""

    id: str
    source: str
    title: str | None
    person: bool
    sentences: tuple[str, ...]
    named: tuple[Named, ...] = ()
    triples: tuple[Stated, ...] = ()

    def names(self, name: str) -> tuple[str, ...]:
        """All names of the thing that is called so, the name itself where the text lists no other."""
        return next((one.names for one in self.named if name in one.names), (name,))


def sentences(text: str) -> list[str]:
    """Of a text as it is written."""
    found: list[str] = []
    start = 0
    for end in [*(match.end() for match in _END.finditer(text)), len(text)]:
        piece = text[start:end].strip()
        if found and _ABBREVIATED.search(found[-1]):
            found[-1] += " " + piece
        elif piece:
            found.append(piece)
        start = end
    return found


def set_tight(text: str) -> str:
    """A tokenised text as a writer sets it: `Willi 's " first " win .` becomes `Willi's "first" win.`"""
    text = text.replace("``", '"').replace("''", '"').replace("-LRB-", "(").replace("-RRB-", ")")
    for found, instead in _TIGHT:
        text = re.sub(found, instead, text)
    text = _SPACED.sub(lambda match: match[0].strip(), text)
    return re.sub(r'" ([^"]*?) "', r'"\1"', text).strip()


def introductions(path: Path) -> Iterator[Text]:
    """Of CoDEx's entities that have one; a last sentence that was cut off is left out."""
    for row in _any_rows(path):
        text = row.get("extract") or ""
        for found, instead in _CLEANED:
            text = re.sub(found, instead, text)
        said = [one for one in sentences(text) if re.search(r"[.!?][\"')]*$", one) and "redirects here" not in one]
        said = [one for one in said if not re.match(r"For (?:the|other|a) .*, see ", one) and len(one.split()) > 3]
        if said:
            yield Text(f"codex:{row['qid']}", "codex", row["label"] or None, "human" in row["types"], tuple(said))


def redocred(path: Path) -> Iterator[Text]:
    """Documents with all they name and state."""
    for row in _any_rows(path):
        named = tuple(Named(tuple(map(set_tight, one["names"])), one["type"]) for one in row["entities"])
        title = re.sub(r" \(.*\)$", "", row["title"])
        person = any(one.kind == "PER" and title in one.names for one in named)
        said = tuple(map(set_tight, row["sentences"]))
        stated = tuple(
            Stated(set_tight(head), relation, set_tight(tail), tuple(evidence))
            for (head, relation, tail), evidence in zip(row["triples"], row["evidence"], strict=True)
        )
        yield Text(f"redocred:{row['id']}", "redocred", title, person, said, named, stated)


def sentence_texts(path: Path, source: str) -> Iterator[Text]:
    """FewRel, CoNLL04 and CaRB: one sentence each, with its triples where they are relations of a graph."""
    for row in _any_rows(path):
        named = tuple(Named((set_tight(one["text"]),), one["type"]) for one in row.get("entities", ()))
        stated = () if source == "carb" else tuple(_stated(row["triples"]))
        said = set_tight(row["text"])
        yield Text(f"{source}:{row['id']}", source, None, False, (said,), named, stated)


def _stated(triples: Sequence[Sequence[str]]) -> Iterator[Stated]:
    for head, relation, tail in triples:
        yield Stated(set_tight(head), _SAID.get(relation, relation), set_tight(tail), (0,))


_SAID = {
    "Work_For": "employer",
    "Live_In": "residence",
    "OrgBased_In": "headquarters location",
    "Located_In": "located in",
    "Kill": "killed",
}
"""CoNLL04's relations in the words of the others."""


def _any_rows(path: Path) -> Iterator[Mapping[str, Any]]:
    yield from rows(path)
