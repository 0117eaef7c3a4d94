"""Compute the changes that turn a claim KG into the evidence's: KEA's Algorithm 1, and a minimal script.

Algorithm 1 deletes every claim without an equal and adds every evidence triple without one, so one wrong object is two
operations that are not connected. The minimal script pairs claims with evidence first and names the elements that
differ. General graph edit distance was rejected: it is NP-hard, and only edits of triples, not of single nodes, can be
written as a sentence.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache, partial

import numpy as np
from numpy.typing import NDArray

from claimgraph.detect.compare import relations
from claimgraph.detect.kernel.comparison import CLUSTER_DISTANCE, ITERATIONS, labelled, whole
from claimgraph.detect.kernel.wl import LabelledEdge
from claimgraph.detect.linear_assignment import cheapest_assignment
from claimgraph.detect.models.embedder import Space
from claimgraph.kgstore.model import Triple
from claimgraph.kgstore.values import literals

ELEMENTS = ("subject", "predicate", "object")


@dataclass(frozen=True, slots=True)
class EditThresholds:
    """KEA's tau_e and tau_r, least cosines in [-1, 1] at which two entities or relations mean the same.

    The paper prints none; these are our settings for MiniLM, fitted to nothing.
    """

    entity: float = 0.75
    relation: float = 0.65


class Operation(StrEnum):
    """The kinds of change to the claim KG."""

    SUBSTITUTE = "substitute"
    DELETE = "delete"
    ADD = "add"


@dataclass(frozen=True, slots=True)
class EditOperation:
    """One operation. `claim` and `evidence` are numbers of triples: of the one changed or deleted, and of the one its
    words come from or that is added. A SUBSTITUTE has the `element` with its words `before` and `after`; others the
    `triple`.
    """

    operation: Operation
    claim: int | None = None
    evidence: int | None = None
    triple: Triple | None = None
    element: str | None = None
    before: str | None = None
    after: str | None = None

    @property
    def text(self) -> str:
        """The operation in words, as the LLM's prompt has it."""
        if self.triple:
            return f"{self.operation.upper()} ({self.triple.subject}, {self.triple.predicate}, {self.triple.object})"
        return f"{self.operation.upper()} {self.element} of claim {self.claim}: {self.before} -> {self.after}"


def edit_operations(
    claims: Sequence[Triple], evidence: Sequence[Triple], space: Space, thresholds: EditThresholds | None = None
) -> list[EditOperation]:
    """Return KEA's Algorithm 1: DELETE each claim that no evidence triple equals, in order, then ADD likewise.

    Two triples are equal where subjects and objects reach the entity threshold and relations theirs, by cosine.
    Relations are compared by their paraphrases; negation is ignored, as in the paper.
    """
    taus = thresholds or EditThresholds()
    equal: NDArray[np.bool_] = np.ones((len(claims), len(evidence)), bool)
    if claims and evidence:
        for element, tau in zip(ELEMENTS, (taus.entity, taus.relation, taus.entity), strict=True):
            ours, theirs = ([_said(t, element) for t in side] for side in (claims, evidence))
            np.logical_and(equal, space.rows(ours) @ space.rows(theirs).T >= tau, out=equal)
    deletions = [EditOperation(Operation.DELETE, claim=i, triple=t) for i, t in enumerate(claims) if not equal[i].any()]
    return deletions + [
        EditOperation(Operation.ADD, evidence=i, triple=t) for i, t in enumerate(evidence) if not equal[:, i].any()
    ]


def _said(triple: Triple, element: str) -> str:
    said: str = getattr(triple, element)
    return relations.spoken(said) if element == "predicate" else said


def edit_script(
    claims: Sequence[Triple], evidence: Sequence[Triple], space: Space, *, distance: float = CLUSTER_DISTANCE
) -> list[EditOperation]:
    """Return the fewest changes of elements that make the claim KG the evidence KG, under the labels of
    comparison.labelled.

    Claims and evidence are paired by minimum-cost assignment, a pair costing the elements whose labels differ (labels
    include direction, values and negation; values within longer words separate them too); an unpaired triple costs
    three and is deleted or added, as is a pair that differs in all three. Of equal costs the pairs nearest by the
    cosine of whole triples are taken, then the solver's choice, which is the same for the same input. Triples with the
    same labels are one edge and changed alike.

    Ordered by claim, its substitutions by element, then ADDs by evidence. The normalised directed kernel of
    `apply(script, claims)` and the evidence is 1 under these labels, unless the evidence is empty.
    """
    if not claims and not evidence:
        return []
    [(our_labels, their_labels)] = labelled(claims, evidence, space, "directed", (distance,))
    number: dict[_Part, int] = {}
    ours = _rows([_refined(*pair, number) for pair in zip(our_labels, claims, strict=True)])
    theirs = _rows([_refined(*pair, number) for pair in zip(their_labels, evidence, strict=True)])
    pairs = _assigned(list(ours), list(theirs), _nearness(claims, evidence, ours, theirs, space))
    edits = [
        edit for key, rows in ours.items() for edit in _changes(claims, rows, key, pairs.get(key), evidence, theirs)
    ]
    added = [rows[0] for key, rows in theirs.items() if key not in pairs.values()]
    edits.sort(key=lambda edit: edit.claim or 0)
    return edits + [EditOperation(Operation.ADD, evidence=row, triple=evidence[row]) for row in sorted(added)]


def apply(script: Sequence[EditOperation], triples: Sequence[Triple]) -> list[Triple]:
    """Return the claim KG after the script: changed in place, without the deleted triples, with the added ones at the
    end.
    """
    changed: dict[int, Triple] = dict(enumerate(triples))
    for edit in script:
        if edit.operation is Operation.SUBSTITUTE and edit.claim is not None and edit.element:
            changed[edit.claim] = replace(changed[edit.claim], **{edit.element: edit.after or ""})
        elif edit.operation is Operation.DELETE and edit.claim is not None:
            del changed[edit.claim]
    return [*changed.values(), *(edit.triple for edit in script if edit.operation is Operation.ADD and edit.triple)]


def likeness(
    script: Sequence[EditOperation],
    claims: Sequence[Triple],
    evidence: Sequence[Triple],
    space: Space,
    distance: float = CLUSTER_DISTANCE,
) -> tuple[float, float]:
    """Return the normalised directed kernel with the evidence, in [0, 1], before and after the script: its proof.

    Labels are those of claims, changed claims and evidence together. After the script it is 1, unless there is no
    evidence.
    """
    [(ours, theirs)] = labelled([*claims, *apply(script, claims)], evidence, space, "directed", (distance,))
    kernel = partial(whole, theirs=theirs, encoding="directed", h=ITERATIONS)
    return kernel(ours[: len(claims)]), kernel(ours[len(claims) :])


_Part = tuple[int, tuple[str, ...]]
"""A label and the values in the words."""


def _refined(label: LabelledEdge, triple: Triple, number: dict[_Part, int]) -> LabelledEdge:
    """Refine labels by the values within the words: "20 people" and "25 people" are one cluster."""
    parts = zip(label, (triple.subject, triple.predicate, triple.object), strict=True)
    subject, relation, object = (number.setdefault((part, _values(words)), len(number)) for part, words in parts)
    return subject, relation, object


@lru_cache(maxsize=65536)
def _values(words: str) -> tuple[str, ...]:
    return tuple(literals.render(value) for _, value in literals.literals_in(words))


_Rows = dict[LabelledEdge, list[int]]
"""Triples by their labels, in order of first occurrence."""


def _rows(labels: Sequence[LabelledEdge]) -> _Rows:
    rows: _Rows = {}
    for row, label in enumerate(labels):
        rows.setdefault(label, []).append(row)
    return rows


def _nearness(
    claims: Sequence[Triple], evidence: Sequence[Triple], ours: _Rows, theirs: _Rows, space: Space
) -> NDArray[np.float64]:
    """Return the cosine of whole triples, by the first triple of each label, to five digits."""
    if not ours or not theirs:
        return np.zeros((len(ours), len(theirs)))
    a = space.rows([claims[rows[0]].text for rows in ours.values()])
    b = space.rows([evidence[rows[0]].text for rows in theirs.values()])
    found: NDArray[np.float64] = (a @ b.T).astype(np.float64).round(5)
    return found


def _assigned(
    ours: Sequence[LabelledEdge], theirs: Sequence[LabelledEdge], nearness: NDArray[np.float64]
) -> dict[LabelledEdge, LabelledEdge]:
    """Return pairs of labels that share an element: the cheapest assignment, nearness deciding between equals."""
    if not ours or not theirs:
        return {}
    differing = (np.array(ours)[:, None, :] != np.array(theirs)[None, :, :]).sum(axis=2)
    tie = (1 - nearness) / (4 * min(differing.shape))  # all ties together below 1
    rows, columns = cheapest_assignment(differing + tie)
    return {ours[i]: theirs[j] for i, j in zip(rows, columns, strict=True) if differing[i, j] < len(ELEMENTS)}


def _changes(
    claims: Sequence[Triple],
    rows: Sequence[int],
    ours: LabelledEdge,
    theirs: LabelledEdge | None,
    evidence: Sequence[Triple],
    sources: _Rows,
) -> Iterator[EditOperation]:
    for row in rows:
        if theirs is None:
            yield EditOperation(Operation.DELETE, claim=row, triple=claims[row])
            continue
        source = sources[theirs][0]
        for element, a, b in zip(ELEMENTS, ours, theirs, strict=True):
            if a != b:
                before, after = getattr(claims[row], element), getattr(evidence[source], element)
                yield EditOperation(Operation.SUBSTITUTE, row, source, element=element, before=before, after=after)
