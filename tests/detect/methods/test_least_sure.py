"""How sure a model must be to refute a claim alone: more where it writes a value in its own way, or is nearly written
there; never, where it has a name and a verb that the text lacks."""

from __future__ import annotations

import math

import pytest

from claimgraph.detect.compare.typed.sentence import read_all
from claimgraph.detect.methods.fusion.reading import CONVERTED, NEARLY, least_sure


@pytest.mark.parametrize(
    ("claim", "passage", "least"),
    [
        ("The ferry runs every hour from June.", "The ferry runs every hour from 1 June.", CONVERTED),
        ("The ferry runs every hour from 1 June.", "The ferry runs every hour from 1 June.", NEARLY),
        ("Ann Lee moved to Oslo.", "At twenty she moved to the city of Oslo to work for a dealer.", NEARLY),
        ("The fan runs for nine hours on a charge.", "It runs for 9 hours on one charge at low speed.", NEARLY),
        ("Ann Lee moved to Oslo.", "Bo Dahl moved to the city of Oslo.", 0.0),
        ("Group A gained 4 percent.", "Group A gained 18 percent, and group B lost 4 percent.", 0.0),
        ("Ann met Bo in Rome.", "Bo met Ann in Rome.", 0.0),
        ("The ferry runs every hour from 2 June.", "The ferry runs every hour from 1 June.", 0.0),
        ("The tower was painted by Pablo Picasso.", "The tower was built by Gustave Eiffel.", math.inf),
        ("The ferry runs every hour from July.", "The ferry runs every hour from 1 June.", 0.0),
    ],
)
def test_least_sure(claim: str, passage: str, least: float) -> None:
    """ "June" for "1 June" is another writing, another day or month is another value."""
    read = read_all([claim, passage])
    assert least == least_sure(read[claim], [read[passage]])
