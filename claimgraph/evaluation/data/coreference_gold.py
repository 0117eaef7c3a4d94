"""Read texts with marked coreference in one shape, and match the marks with the product's mentions.

Two schemas: documents with clusters of mentions, and rows of a pronoun with candidates of which one is right or none. A
marked phrase is the mention with the same head word, by the parse; one whose head is no mention marks nothing.
"""

from __future__ import annotations

import hashlib
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from pathlib import Path

from claimgraph.detect.extraction.coreference.candidates import Key
from claimgraph.detect.extraction.coreference.mentions import Mention
from claimgraph.detect.text.parse import Paragraph
from claimgraph.evaluation.data.rows import JsonRow, read_rows
from claimgraph.kgstore.model import Span

WRONG = -1
"""The cluster of what a row's pronoun does not stand for."""
FOLDS = 10
"""Documents of the first of ten parts, by hash, are never trained on."""
_COMPLETE = frozenset({"gum", "craft", "written", "later"})
"""Sources in which what is in no cluster stands for nothing that was said before."""
_BUILT = "winobias"
"""Constructed sentences speak of two people: whoever is not marked right is wrong."""


@dataclass(frozen=True, slots=True)
class GoldClusters:
    """A text with clusters of spans that speak of the same.

    `asked`: the one pronoun that is judged, None for all mentions; with it, `wrong` are the candidates it does not
    stand for, and `open` is whether one that is not marked may be right. `complete`: whether what is in no cluster
    stands for nothing that was said before. Texts of one `document` never stand on both sides of a cut. `usable`:
    whether a model that is trained on it may be shipped.
    """

    id: str
    source: str
    document: str
    text: str
    clusters: tuple[tuple[Span, ...], ...]
    asked: Span | None = None
    wrong: tuple[Span, ...] = ()
    open: bool = False
    complete: bool = False
    usable: bool = False

    @property
    def fold(self) -> int:
        """Return the number of its document's part, of FOLDS equal parts."""
        return int.from_bytes(hashlib.sha256(self.document.encode()).digest()[:8], "big") % FOLDS


def read_gold(path: Path) -> Iterator[GoldClusters]:
    """Yield the texts of a file of JSON lines, plain or compressed. Raises InputError for what is in neither schema."""
    needs = "a row has id, source, text, mentions and clusters, or pronoun and candidates"
    return (gold for _, gold in read_rows(path, lambda row: (_pronoun if "pronoun" in row else _document)(row), needs))


def _document(row: JsonRow) -> GoldClusters:
    spans = [Span(one["start"], one["end"]) for one in row["mentions"]]
    return GoldClusters(
        id=row["id"],
        source=row["source"],
        document=row["id"],
        text=row["text"],
        clusters=tuple(tuple(spans[at] for at in cluster) for cluster in row["clusters"]),
        complete=row["source"] in _COMPLETE,
        usable=row.get("usable_for_shipping") == "yes",
    )


def _pronoun(row: JsonRow) -> GoldClusters:
    """Return a row of a web page belongs to the page, a constructed one to those that begin like it."""
    pronoun = Span(*row["pronoun"])
    spans = [(bool(one["coref"]), Span(one["start"], one["end"])) for one in row["candidates"]]
    right = [span for is_right, span in spans if is_right]
    built = row["source"] == _BUILT
    return GoldClusters(
        id=row["id"],
        source=row["source"],
        document=row.get("url") or (" ".join(row["text"].split()[:5]) if built else row["id"]),
        text=row["text"],
        clusters=((*right, pronoun),) if right else (),
        asked=pronoun,
        wrong=tuple(span for is_right, span in spans if not is_right),
        open=not built,
        usable=row.get("usable_for_shipping") == "yes",
    )


def clusters_of(gold: GoldClusters, parts: Sequence[Paragraph], found: Sequence[Mention]) -> dict[Key, set[int]]:
    """Return the numbers of the clusters of each marked mention, WRONG among them; `found` are those of the parsed
    text.

    Of a row, where a candidate is marked once, other mentions of the same name share its mark.
    """
    known: dict[Key, set[int]] = defaultdict(set)
    keys = {mention.key for mention in found}
    places = {(mention.start, mention.end): mention.key for mention in found}
    starts = [part.starts[0] for part in parts]
    for number, cluster in (*enumerate(gold.clusters), (WRONG, gold.wrong)):
        for span in cluster:
            at = bisect_right(starts, span.start) - 1
            for key in _keys(parts[at], span, keys, places) if at >= 0 else ():
                known[key].add(number)
    if gold.asked is not None:
        _spread(known, found)
    return dict(known)


def _keys(part: Paragraph, span: Span, keys: Set[Key], places: Mapping[tuple[int, int], Key]) -> Iterator[Key]:
    """Yield the key of the mention that a marked phrase is, and that of the name with which it ends right after its
    noun: "the swimmer Ann Lee" and "Ann Lee".
    """
    first, last = bisect_right(part.ends, span.start), bisect_left(part.starts, span.end)
    tokens = part.doc[first:last]
    if not len(tokens):
        return
    root = tokens.root.i
    joined = any(child.dep_ == "conj" and first <= child.i < last for child in tokens.root.children)
    head = part.starts[root]
    yield from [key for key in ((head, joined), (head, False)) if key in keys][:1]
    if not joined and root + 1 < last and part.doc[root + 1].tag_.startswith("NNP"):
        name = places.get((part.starts[root + 1], span.end))
        if name is not None:
            yield name


def _spread(known: dict[Key, set[int]], found: Sequence[Mention]) -> None:
    names: dict[str, set[int]] = defaultdict(set)
    for mention in found:
        if mention.key in known and not mention.form.pronoun:
            names[mention.name.casefold()] |= known[mention.key]
    for mention in found:
        said = mention.name.casefold()
        same = {label for name, labels in names.items() if _alike(said, name) for label in labels}
        if mention.key not in known and not mention.form.pronoun and len(same) == 1:
            known[mention.key] = same


def _alike(one: str, other: str) -> bool:
    short, long = sorted((one, other), key=len)
    return one == other or long.endswith(f" {short}") or long.startswith(f"{short} ")
