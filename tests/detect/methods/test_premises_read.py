"""Which premises are read, and what those count as that are not."""

from __future__ import annotations

import pytest

from claimgraph.detect.methods.fusion.premises_read import PREMISES, Read, features, next_premises

SAYS, DENIES, SILENT, UNSURE = Read(0.9, 0.05), Read(0.05, 0.9), Read(0.05, 0.05), Read(0.4, 0.3)


@pytest.mark.parametrize(
    ("read", "whole", "expected"),
    [
        ({}, False, ("nearest",)),
        ({"nearest": SAYS}, False, ()),
        ({"nearest": DENIES}, False, ("passage",)),
        ({"nearest": SILENT, "passage": SAYS}, False, ("pair",)),
        ({"nearest": DENIES, "passage": DENIES}, False, ("triple",)),
        ({"nearest": SILENT, "passage": SILENT}, False, ("triple",)),
        ({"nearest": SILENT, "passage": UNSURE}, False, ("pair", "triple")),
        ({"nearest": SILENT, "passage": UNSURE}, True, ("triple",)),
        ({"nearest": SILENT, "passage": SAYS}, True, ()),
        ({"nearest": SILENT, "passage": UNSURE, "pair": SAYS, "triple": SAYS}, False, ()),
        ({"nearest": SILENT, "passage": SILENT, "triple": UNSURE}, False, ("wide",)),
        ({"nearest": SILENT, "passage": SILENT, "triple": UNSURE}, True, ()),
        ({"nearest": SILENT, "passage": SILENT, "triple": DENIES}, False, ()),
        ({"nearest": SILENT, "passage": SILENT, "triple": UNSURE, "wide": SAYS}, False, ()),
    ],
)
def test_what_is_read_next(read, whole, expected):
    """The nearest sentence decides what it entails; a passage that tells as it does, or is all there is, needs nothing
    between; what none of them tells of is read beside many sentences.
    """
    assert expected == next_premises(read, whole)


def test_two_classes():
    """A model that has no contradiction tells alike where it finds nothing entailed twice."""
    assert ("triple",) == next_premises({"nearest": Read(0.1, None), "passage": Read(0.2, None)}, False)


def signals(**read):
    """Signals of what was read."""
    return {f"{part}.{name}": getattr(one, kind) for part, one in read.items() for name, kind in KINDS}


KINDS = (("entailment", "entailed"), ("contradiction", "contradicted"))


def test_what_was_not_read_counts_as_what_it_lies_between():
    """The weights get all premises: those of which nothing was read as the ones that stand for them."""
    alone = features(signals(nearest=SAYS))
    assert {alone[f"{part}.entailment"] for part in (*PREMISES, "told", "best")} == {SAYS.odds(SAYS.entailed)}
    both = features(signals(nearest=SILENT, passage=UNSURE))
    between = Read((0.05 + 0.4) / 2, (0.05 + 0.3) / 2)
    assert pytest.approx(between.odds(between.contradicted)) == both["pair.contradiction"]
    assert UNSURE.odds(UNSURE.entailed) == both["triple.entailment"]


def test_what_was_read_is_kept():
    """Where all was read every premise speaks for itself, and what no model read adds nothing."""
    every = features(signals(nearest=SILENT, pair=UNSURE, passage=SAYS, triple=DENIES))
    assert [SILENT, UNSURE, SAYS, DENIES] == [
        next(one for one in (SILENT, UNSURE, SAYS, DENIES) if one.odds(one.entailed) == every[f"{part}.entailment"])
        for part in PREMISES
    ]
    assert {"premise.coverage": 0.5} == features({"premise.coverage": 0.5})
