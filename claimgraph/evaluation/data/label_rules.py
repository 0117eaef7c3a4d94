"""Derive labels from ratings or votes: the rules of the papers beside the file's own.

Published figures use different rules over the same annotations, so a figure means nothing without its rule.
"""

from __future__ import annotations

from enum import StrEnum


class LabelRule(StrEnum):
    """FILE: labels as given. TRUE: those of TRUE and GraphEval. KEA: those of KEA Explain."""

    FILE = "file"
    TRUE = "true"
    KEA = "kea"


def of_rating(rating: float, rule: LabelRule) -> int:
    """Return the label of a mean consistency rating in [1, 5]: TRUE below 5, KEA below 4. Raises ValueError outside [1,
    5].
    """
    if not 1 <= rating <= 5:
        raise ValueError(f"`score` {rating:g} is no rating from 1 to 5, and there are no rated `sentences`")
    return int(rating < (5 if rule is LabelRule.TRUE else 4))


def of_votes(share: float, rule: LabelRule) -> int:
    """Return the label of a sentence by the share of votes for "consistent": TRUE unless a majority, KEA below 0.6."""
    if not 0 <= share <= 1:
        raise ValueError(f"`score` {share:g} of a sentence is no share of votes in [0, 1]")
    return int(share <= 0.5 if rule is LabelRule.TRUE else share < 0.6)
