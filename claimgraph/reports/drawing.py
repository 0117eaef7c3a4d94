"""Draw a claim's triple beside those of its evidence as SVG, the contradicting edges marked.

Subjects stand left, objects right, equal names share a box; every edge passes through a row of its own, where its
relation is written. Colours are attributes, not styles, so that a page's content security policy lets the picture in;
names take the colour of what surrounds them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import mean
from xml.sax.saxutils import escape

from claimgraph.kgstore.model import Outcome, Stance, Triple

_ROW, _BOX, _WIDTH, _GAP, _MARGIN, _BEND = 46, 34, 190, 240, 12, 60
_LONGEST = 24
"""Most characters of a name that fit a box; the whole name is its tooltip."""
_COLOURS = {"claim": "#5b6b7b", "supports": "#1a7f37", "refutes": "#cf222e", "neutral": "#8c959f"}
_OUTCOMES = {Outcome.SUPPORTED: "supports", Outcome.REFUTED: "refutes", Outcome.NOT_ENOUGH_INFO: "claim"}


@dataclass(frozen=True, slots=True)
class Edge:
    """A triple to draw: `kind` is "claim", or the stance of the evidence that it is from."""

    triple: Triple
    kind: str


def claim_edges(claim: Triple, evidence: Sequence[tuple[Triple, Stance]]) -> list[Edge]:
    """Return the claim's edge, then those of its evidence."""
    return [Edge(claim, "claim"), *(Edge(triple, stance.value) for triple, stance in evidence)]


def svg(edges: Sequence[Edge], outcome: Outcome) -> str:
    """Return the picture as one `svg` element; `outcome` is that of the claim, whose edge is dashed."""
    ordered = sorted(edges, key=lambda edge: _folded(edge.triple.subject) != _folded(edges[0].triple.subject))
    left = _places([edge.triple.subject for edge in ordered])
    right = _places([edge.triple.object for edge in ordered])
    lowest = max([*left.values(), *right.values(), _ROW * (len(ordered) - 1)], default=0)
    width, height = 2 * (_MARGIN + _WIDTH) + _GAP, round(2 * _MARGIN + _BOX + lowest)
    drawn = [_path(edge, left, right, _ROW * row, outcome) for row, edge in enumerate(ordered)]
    names = {_folded(name): name for edge in reversed(ordered) for name in (edge.triple.subject, edge.triple.object)}
    drawn += [_box(names[key], _MARGIN, y) for key, y in left.items()]
    drawn += [_box(names[key], _MARGIN + _WIDTH + _GAP, y) for key, y in right.items()]
    title = escape(f"{edges[0].triple.text}: {outcome.value}" if edges else "nothing to draw")
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


def _path(edge: Edge, left: dict[str, float], right: dict[str, float], row: float, outcome: Outcome) -> str:
    top = _MARGIN + _BOX / 2
    y1, y2, y = left[_folded(edge.triple.subject)] + top, right[_folded(edge.triple.object)] + top, row + top
    x1, x2 = _MARGIN + _WIDTH, _MARGIN + _WIDTH + _GAP
    x = (x1 + x2) // 2
    of_claim = edge.kind == "claim"
    colour = _COLOURS[_OUTCOMES[outcome] if of_claim else edge.kind]
    sign = "≠ " if edge.kind == Stance.REFUTES else ""
    dash = ' stroke-dasharray="6 4"' if of_claim else ""
    path = f"M{x1} {y1} C{x1 + _BEND} {y1} {x - _BEND} {y} {x} {y} S{x2 - _BEND} {y2} {x2} {y2}"
    return (
        f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="2"{dash}/>'
        f'<text x="{x}" y="{y - 6}" text-anchor="middle" fill="{colour}"><title>{escape(edge.triple.predicate)}</title>'
        f"{escape(sign + _short(edge.triple.predicate))}</text>"
    )


def _box(name: str, x: int, y: float) -> str:
    return (
        f'<g><title>{escape(name)}</title><rect x="{x}" y="{y + _MARGIN}" width="{_WIDTH}" height="{_BOX}" rx="8" '
        f'fill="none" stroke="{_COLOURS["neutral"]}"/><text x="{x + _WIDTH // 2}" y="{y + _MARGIN + _BOX / 2 + 5}" '
        f'text-anchor="middle" fill="currentColor">{escape(_short(name))}</text></g>'
    )


def _folded(name: str) -> str:
    return " ".join(name.casefold().split())


def _short(name: str) -> str:
    words = " ".join(name.split())
    return words if len(words) <= _LONGEST else f"{words[: _LONGEST - 1]}…"
