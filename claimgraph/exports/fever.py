"""Write claims as FEVER has them: a label, and sets of evidence of which each decides alone.

FEVER's evidence is [annotation, evidence, page, line] (Thorne et al. 2018, section 3); here the first two are
the ids of verdict and evidence, the page is where a piece is from, and the words of the piece stand for its line.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, TextIO

from claimgraph.exports.judged import JudgedDocument
from claimgraph.exports.labels import LabelSet, label
from claimgraph.kgstore.model import Citation, Outcome, Stance, Verdict

_DECIDES = {Outcome.SUPPORTED: Stance.SUPPORTS, Outcome.REFUTED: Stance.REFUTES}


def write_fever(found: Iterable[JudgedDocument], file: TextIO) -> int:
    """Write one object a claim: id, claim, label, verifiable, evidence. Returns the number of lines."""
    count = 0
    for one in found:
        for claim, verdict in one.pairs:
            row = {
                "id": claim.id,
                "claim": claim.sentence,
                "label": label(verdict.outcome, LabelSet.FEVER),
                "verifiable": "NOT VERIFIABLE" if verdict.outcome is Outcome.NOT_ENOUGH_INFO else "VERIFIABLE",
                "evidence": evidence_sets(verdict),
            }
            file.write(json.dumps(row, ensure_ascii=False) + "\n")
            count += 1
    return count


def evidence_sets(verdict: Verdict) -> list[list[list[Any]]]:
    """Return the sets of what decides a verdict: pieces of one path together, in their order, others alone.

    A piece is [verdict, evidence, source, words]. An open verdict has no set.
    """
    stance = _DECIDES.get(verdict.outcome)
    sets: dict[object, list[list[Any]]] = {}
    for at, cited in enumerate(one for one in verdict.citations if one.stance is stance):
        sets.setdefault(("alone", at) if cited.path is None else cited.path, []).append(_piece(verdict, cited))
    return list(sets.values())


def _piece(verdict: Verdict, cited: Citation) -> list[Any]:
    return [verdict.id, cited.evidence.id, cited.evidence.source, cited.evidence.text]
