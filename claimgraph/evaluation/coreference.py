"""Measure coreference on texts with marked clusters: how often the right antecedent is found, for `claimgraph
eval coref`.

An antecedent is right where people put the mention and the one whose name it is read as into one cluster. Unjudged
mentions, in sources that mark some kinds of thing only, are not counted.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from claimgraph.detect.extraction.coreference.candidates import CoreferenceLink, Key, kind
from claimgraph.detect.extraction.coreference.mentions import Form, Mention
from claimgraph.detect.extraction.coreference.resolution import Resolved, read_mentions, resolved
from claimgraph.detect.models.coreference import CoreferenceModel
from claimgraph.detect.text.parse import Paragraph, paragraphs
from claimgraph.evaluation.batches import Advance, batches, silent
from claimgraph.evaluation.data.coreference_gold import WRONG, GoldClusters, clusters_of, read_gold
from claimgraph.evaluation.data.rows import dataset_name
from claimgraph.evaluation.statistics.shares import share
from claimgraph.kgstore.errors import InputError

KINDS = ("he, she", "it", "they", "definite", "definite, renamed", "name, renamed")
"""Kinds of mention. Renamed: by a name with other words, so that claims change."""
_GROUPS = {"he": "he, she", "she": "he, she"}
_BATCH = 50


@dataclass(frozen=True, slots=True)
class CoreferenceFigures:
    """`n` mentions, `answered` of them with an antecedent, `right` with a right one; `known` have one in the text.

    precision = right / answered, recall = right / known, f1 of the two, coverage = answered / n; None for nothing to
    count. Names count where they are shortened, "definite, renamed" where a name is to be had.
    """

    n: int
    answered: int
    right: int
    known: int
    precision: float | None
    recall: float | None
    f1: float | None
    coverage: float | None


@dataclass(frozen=True, slots=True)
class CoreferenceReport:
    """Quality on one file; `model` is None where the rules choose. The speed includes parsing."""

    dataset: str
    model: str | None
    texts: int
    words_per_second: float
    by_source: Mapping[str, Mapping[str, CoreferenceFigures]]


@dataclass(frozen=True, slots=True)
class JudgedMention:
    """A mention of one of KINDS: whether it was answered, rightly, and whether it has an antecedent."""

    kind: str
    answered: bool
    right: bool
    known: bool


def evaluate(
    path: Path,
    model: CoreferenceModel | None,
    *,
    held_out: bool = False,
    limit: int | None = None,
    advance: Advance = silent,
) -> CoreferenceReport:
    """Resolve the first `limit` texts of a file and compare.

    `held_out` leaves out the documents that the shipped model was trained on. Raises InputError for a file without
    marked texts.
    """
    golds = [gold for gold in read_gold(path) if gold.fold == 0 or not held_out][:limit]
    if not golds:
        raise InputError(f"{path}: no marked texts in it")
    found: dict[str, list[JudgedMention]] = defaultdict(list)
    begun = time.perf_counter()
    for some in batches(golds, _BATCH, advance):
        for gold, read in _read(some, model):
            found[gold.source].extend(judged(gold, read))
    seconds = time.perf_counter() - begun
    return CoreferenceReport(
        dataset=dataset_name(path),
        model=model.model if model else None,
        texts=len(golds),
        words_per_second=round(sum(len(gold.text.split()) for gold in golds) / seconds, 1),
        by_source={source: figures(found[source]) for source in sorted(found)},
    )


def _read(
    golds: Sequence[GoldClusters], model: CoreferenceModel | None
) -> Iterator[tuple[GoldClusters, list[Resolved]]]:
    parsed = resolved(paragraphs([gold.text for gold in golds]), model)
    for number, parts in groupby(parsed, key=lambda part: part.number):
        yield golds[number], list(parts)


def judged(gold: GoldClusters, read: Sequence[Resolved]) -> Iterator[JudgedMention]:
    """Yield the mentions of a text that somebody judged, in text order; a renamed one counts under both of its
    kinds.
    """
    parts: list[Paragraph] = [one.paragraph for one in read]
    found, _ = read_mentions(parts)
    clusters = clusters_of(gold, parts, found)
    links = {link.anaphor: link for one in read for link in one.links}
    spans = {(mention.start, mention.end): mention for mention in found}
    for number, mention in enumerate(found):
        if not _is_judged(gold, mention, clusters):
            continue
        link = links.get(mention.span)
        other = spans.get((link.antecedent.start, link.antecedent.end)) if link else None
        own = clusters.get(mention.key, set())
        meant = clusters.get(other.key, set()) if other else set()
        if link and gold.open and not own - {WRONG} and WRONG not in meant:
            continue
        right = bool(own & meant - {WRONG}) or bool(other and other.name.casefold() in _names(own, found, clusters))
        before = [m for m in found[:number] if clusters.get(m.key, set()) & own - {WRONG} and not m.form.pronoun]
        yield from _counted(mention, link, right, before)


def _names(own: Set[int], found: Sequence[Mention], clusters: Mapping[Key, Set[int]]) -> set[str]:
    """What the members of a mention's clusters are called."""
    return {m.name.casefold() for m in found if clusters.get(m.key, set()) & own - {WRONG} and not m.form.pronoun}


def _is_judged(gold: GoldClusters, mention: Mention, clusters: Mapping[Key, Set[int]]) -> bool:
    if kind(mention) is None:
        return False
    if gold.asked is not None:
        return mention.start == gold.asked.start
    return gold.complete or mention.key in clusters


def _counted(
    mention: Mention, link: CoreferenceLink | None, right: bool, before: Sequence[Mention]
) -> Iterator[JudgedMention]:
    found = str(kind(mention))
    renamed = link is not None and link.renamed
    names = [m for m in before if m.form is Form.NAME and m.name != mention.name]
    if found == "name":
        longer = [m for m in names if set(mention.name.split()) < set(m.name.split())]
        if longer or renamed:
            yield JudgedMention("name, renamed", renamed, right and renamed, bool(longer))
        return
    yield JudgedMention(_GROUPS.get(found, found), link is not None, right, bool(before))
    if found == "definite" and (names or renamed):
        yield JudgedMention("definite, renamed", renamed, right and renamed, bool(names))


def figures(found: Sequence[JudgedMention]) -> dict[str, CoreferenceFigures]:
    """Return figures by kind, "pronouns" over those of the first three among them."""
    groups = {name: [one for one in found if one.kind == name] for name in KINDS}
    groups = {"pronouns": [one for name in KINDS[:3] for one in groups[name]]} | groups
    return {name: _figures(some) for name, some in groups.items() if some}


def _figures(some: Sequence[JudgedMention]) -> CoreferenceFigures:
    answered, right = sum(one.answered for one in some), sum(one.right for one in some)
    known = sum(one.known or one.right for one in some)
    precision, recall = share(right, answered), share(right, known)
    f1 = share(2 * right, answered + known)
    return CoreferenceFigures(len(some), answered, right, known, precision, recall, f1, share(answered, len(some)))
