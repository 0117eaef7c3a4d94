"""Draw claims beside the triples of their evidence as SVG, the contradicting edges marked.

Subjects stand left, objects right, equal names share a box; every edge passes through a row of its own, where its
relation is written. Colours are attributes, not styles, so that a page's content security policy lets the picture in;
names take the colour of what surrounds them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import mean
from xml.sax.saxutils import escape

from claimgraph.detect.text.words import content
from claimgraph.kgstore.model import Claim, Outcome, Stance, Triple
from claimgraph.kgstore.store import GraphStore
from claimgraph.reports.stored_document import StoredDocument, evidence_triples

_ROW, _BOX, _WIDTH, _GAP, _MARGIN, _BEND = 46, 34, 190, 290, 12, 50
_LONGEST = 24
"""Most characters of a name that fit a box; the whole name is its tooltip."""
_GREEN, _RED, _AMBER, _GREY = "#2da44e", "#e5484d", "#bf8700", "#8c959f"
"""Colours that stand out on light and on dark ground."""
_OUTCOMES = {Outcome.SUPPORTED: _GREEN, Outcome.REFUTED: _RED, Outcome.NOT_ENOUGH_INFO: _AMBER}
_STANCES = {Stance.SUPPORTS: _GREEN, Stance.REFUTES: _RED, Stance.NEUTRAL: _GREY, None: _GREY}


@dataclass(frozen=True, slots=True)
class Edge:
    """A triple to draw: a claim with its outcome, or evidence with its stance; with neither, what a query found."""

    triple: Triple
    outcome: Outcome | None = None
    stance: Stance | None = None


def picture(store: GraphStore, found: StoredDocument) -> str:
    """Return the picture of one claim beside its evidence, or of the claims of a document."""
    edges = [Edge(claim.triple, verdict.outcome) for claim, verdict in zip(found.claims, found.verdicts, strict=True)]
    if len(edges) == 1:
        cited = found.verdicts[0].citations
        told = [(one.stance, triple) for one in cited for triple in evidence_triples(store, one)]
        edges += _evidence(found.claims[0], told)
    return svg(list(dict.fromkeys(edges)))


def _evidence(claim: Claim, told: Sequence[tuple[Stance, Triple]]) -> Iterator[Edge]:
    """Yield the triples of cited sentences. Of those that refute, triples of the claim's relation contradict it, where
    there are such, and what the claim's sentence names too contradicts nothing.
    """
    alike = {triple for _, triple in told if _same_relation(claim.triple.predicate, triple.predicate)}
    words = _folded(re.sub(r"\W+", " ", claim.sentence))
    for stance, triple in told:
        named = f" {_folded(triple.object)} " in f" {words} "
        beside = stance is Stance.REFUTES and (named or (bool(alike) and triple not in alike))
        yield Edge(triple, stance=Stance.NEUTRAL if beside else stance)


def _same_relation(one: str, other: str) -> bool:
    """Return whether two predicates share a word of content, or are the same."""
    return bool(set(content(one)) & set(content(other))) or _folded(one) == _folded(other)


def svg(edges: Sequence[Edge]) -> str:
    """Return the picture as one `svg` element; claims are dashed."""
    ordered = sorted(edges, key=lambda edge: _folded(edge.triple.subject) != _folded(edges[0].triple.subject))
    left = _places([edge.triple.subject for edge in ordered])
    right = _places([edge.triple.object for edge in ordered])
    lowest = max([*left.values(), *right.values(), _ROW * (len(ordered) - 1)], default=0)
    width, height = 2 * (_MARGIN + _WIDTH) + _GAP, round(2 * _MARGIN + _BOX + lowest)
    drawn = [_path(edge, left, right, _ROW * row) for row, edge in enumerate(ordered)]
    names = {_folded(name): name for edge in reversed(ordered) for name in (edge.triple.subject, edge.triple.object)}
    drawn += [_box(names[key], _MARGIN, y) for key, y in left.items()]
    drawn += [_box(names[key], _MARGIN + _WIDTH + _GAP, y) for key, y in right.items()]
    title = escape("; ".join(f"{edge.triple.text}: {edge.outcome}" for edge in edges if edge.outcome) or "triples")
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 {width} {height}" '
        f'font-family="system-ui, sans-serif" font-size="13"><title>{title}</title>{"".join(drawn)}</svg>'
    )


def _places(names: Sequence[str]) -> dict[str, float]:
    """Return the height of each name's box, by its folded form: the mean of its rows, a row apart at least."""
    rows: dict[str, list[int]] = {}
    for row, name in enumerate(names):
        rows.setdefault(_folded(name), []).append(_ROW * row)
    found: dict[str, float] = {}
    last = -float(_ROW)
    for key in sorted(rows, key=lambda key: mean(rows[key])):
        last = max(last + _ROW, mean(rows[key]))
        found[key] = last
    return found


def _path(edge: Edge, left: dict[str, float], right: dict[str, float], row: float) -> str:
    top = _MARGIN + _BOX / 2
    y1, y2, y = left[_folded(edge.triple.subject)] + top, right[_folded(edge.triple.object)] + top, row + top
    x1, x2 = _MARGIN + _WIDTH, _MARGIN + _WIDTH + _GAP
    x = x1 + _GAP // 3
    colour = _OUTCOMES[edge.outcome] if edge.outcome else _STANCES[edge.stance]
    sign = "≠ " if edge.stance is Stance.REFUTES else ""
    dash = ' stroke-dasharray="6 4"' if edge.outcome else ""
    path = f"M{x1} {y1} C{x1 + _BEND} {y1} {x - _BEND} {y} {x} {y} S{x2 - _BEND} {y2} {x2} {y2}"
    return (
        f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="{3 if sign else 2}"{dash}/>'
        f'<text x="{(x + x2) // 2}" y="{y - 6}" text-anchor="middle" fill="currentColor">'
        f"<title>{escape(edge.triple.predicate)}</title>"
        f"{escape(sign + _short(edge.triple.predicate))}</text>"
    )


def _box(name: str, x: int, y: float) -> str:
    return (
        f'<g><title>{escape(name)}</title><rect x="{x}" y="{y + _MARGIN}" width="{_WIDTH}" height="{_BOX}" rx="8" '
        f'fill="none" stroke="{_GREY}"/><text x="{x + _WIDTH // 2}" y="{y + _MARGIN + _BOX / 2 + 5}" '
        f'text-anchor="middle" fill="currentColor">{escape(_short(name))}</text></g>'
    )


def _folded(name: str) -> str:
    """Return a name as names are compared: in lower case, without an article before it."""
    words = name.casefold().split()
    return " ".join(words[1:] if len(words) > 1 and words[0] in ("a", "an", "the") else words)


def _short(name: str) -> str:
    words = " ".join(name.split())
    return words if len(words) <= _LONGEST else f"{words[: _LONGEST - 1]}…"
