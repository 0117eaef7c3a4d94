"""How sure a model must be to refute a claim alone: more where it denies something or writes a value in its own way."""

from __future__ import annotations

import math

import pytest

from claimgraph.detect.compare.typed.sentence import read_all
from claimgraph.detect.methods.fusion.reading import CONVERTED, DENIED, least_sure


@pytest.mark.parametrize(
    ("claim", "passage", "least"),
    [
        ("The ferry runs every hour from June.", "The ferry runs every hour from 1 June.", CONVERTED),
        ("The ferry runs every hour from 1 June.", "The ferry runs every hour from 1 June.", 0.0),
        ("The ferry runs every hour from 2 June.", "The ferry runs every hour from 1 June.", 0.0),
        ("The ferry runs every hour from July.", "The ferry runs every hour from 1 June.", 0.0),
        ("The ferry does not run at night.", "The ferry runs at night.", DENIED),
        ("The ferry runs at least 30 times.", "The ferry runs 20 times.", math.inf),
    ],
)
def test_least_sure(claim: str, passage: str, least: float) -> None:
    """ "June" for "1 June" is another writing, another day or month is another value."""
    read = read_all([claim, passage])
    assert least == least_sure(read[claim], [read[passage]])
