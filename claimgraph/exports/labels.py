"""Name outcomes in the words of other benchmarks and tools.

FEVER and RefChecker have three labels as we do. SAFE and FActScore have one for all that is not supported: that a claim
is refuted is lost there, and what they call irrelevant has no outcome here.
"""

from __future__ import annotations

from enum import StrEnum

from claimgraph.kgstore.model import Outcome


class LabelSet(StrEnum):
    """The sets of labels."""

    FEVER = "fever"
    REFCHECKER = "refchecker"
    SAFE = "safe"
    FACTSCORE = "factscore"


_NAMES = {
    LabelSet.FEVER: ("SUPPORTS", "REFUTES", "NOT ENOUGH INFO"),
    LabelSet.REFCHECKER: ("Entailment", "Contradiction", "Neutral"),
    LabelSet.SAFE: ("Supported", "Not Supported", "Not Supported"),
    LabelSet.FACTSCORE: ("S", "NS", "NS"),
}
_ORDER = (Outcome.SUPPORTED, Outcome.REFUTED, Outcome.NOT_ENOUGH_INFO)


def label(outcome: Outcome, labels: LabelSet) -> str:
    """Return the outcome's name in a set of labels."""
    return _NAMES[labels][_ORDER.index(outcome)]
