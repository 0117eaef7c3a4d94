"""Correction of texts with one planted error or none: what is wrong is replaced, what is right stays."""

from __future__ import annotations

import pytest

import claimgraph

CASES = [
    (
        "The Olt bridge was opened on 3 May 1931. It is 410 metres long.",
        "The Olt bridge was opened in 1941. It is 410 metres long.",
        "The Olt bridge was opened in 1931. It is 410 metres long.",
    ),
    (
        "Irene Joliot won the Nobel Prize in Chemistry in 1935. Her mother won it in 1911.",
        "Irene Joliot won the 1935 Nobel Prize in Chemistry.",
        None,
    ),
    (
        "The clinic treated 120 patients in March and 95 in April.",
        "The clinic treated 95 patients in March.",
        "The clinic treated 120 patients in March.",
    ),
    ("The handle is made of oak and the blade of steel.", "The handle is made of steel.", "The handle is made of oak."),
    (
        "The council rejected the plan for a new car park.",
        "The council accepted the plan for a new car park.",
        "The council rejected the plan for a new car park.",
    ),
    (
        "Mara Dahl was born in Bergen in 1920. She died in Oslo in 1999.",
        "Mara Dahl was born in Oslo in 1920. She died in Oslo in 1999.",
        "Mara Dahl was born in Bergen in 1920. She died in Oslo in 1999.",
    ),
    (
        "The pump moves 85 litres per minute.",
        "The pump moves 58 litres per minute.",
        "The pump moves 85 litres per minute.",
    ),
    ("The warranty lasts 24 months.", "The warranty lasts two years.", None),
    (
        "Exports rose by 4 per cent in May. Imports fell by 2 per cent.",
        "Exports fell by 4 per cent in May.",
        "Exports rose by 4 per cent in May.",
    ),
    (
        "The museum opens at 9:00 and closes at 18:00.",
        "The museum opens at 10:00 and closes at 18:00.",
        "The museum opens at 9:00 and closes at 18:00.",
    ),
    (
        "The choir has 32 members. The orchestra has 60 members.",
        "The choir has 60 members.",
        "The choir has 32 members.",
    ),
    (
        "Lena Ott founded the firm in 1987. Paul Ott joined it in 1990.",
        "Lena Ott founded the firm in 1990.",
        "Lena Ott founded the firm in 1987.",
    ),
    ("The lake is 40 metres deep.", "The lake is 40 metres deep. The lake is in Bolivia.", None),
    (
        "The ticket costs 14 euros for adults and 6 euros for children.",
        "The ticket costs 6 euros for adults.",
        "The ticket costs 14 euros for adults.",
    ),
    (
        "The northern wing was rebuilt after the fire.",
        "The southern wing was rebuilt after the fire.",
        "The northern wing was rebuilt after the fire.",
    ),
    (
        "The trial ended on Friday. The verdict came on Monday.",
        "The trial ended on Monday.",
        "The trial ended on Friday.",
    ),
    (
        "The river Sarn is 212 km long and flows into Lake Ede.",
        "The river Sarn is 312 km long and flows into Lake Ede.",
        "The river Sarn is 212 km long and flows into Lake Ede.",
    ),
    (
        "Twelve ships were lost in the storm; two reached Cadiz.",
        "Two ships were lost in the storm.",
        "Twelve ships were lost in the storm.",
    ),
    (
        "Anders Vik wrote the score. Siri Lund wrote the libretto.",
        "Siri Lund wrote the score.",
        "Anders Vik wrote the score.",
    ),
    (
        "The school was closed in 1975 and reopened in 1991.",
        "The school was closed in 1991.",
        "The school was closed in 1975.",
    ),
    ("The film was shot in Malta in 2004.", "The film was shot in Malta in 2004. It won a prize in 2006.", None),
    ("The blue car is faster than the red one.", "The blue car is faster than the red one. It cost 9,000 euros.", None),
]
"""A context, a text, and the text as it should become, None for the same."""


@pytest.fixture(scope="module")
def settings(tmp_path_factory: pytest.TempPathFactory) -> claimgraph.Settings:
    """A store of its own with the shipped models."""
    folder = tmp_path_factory.mktemp("planted")
    return claimgraph.Settings(store=folder / "store", cache=folder / "cache")


def test_planted_errors_are_repaired_and_nothing_else_is_changed(settings: claimgraph.Settings) -> None:
    """At least 19 of 22 texts become right, and none is made wrong."""
    outcomes = []
    for context, text, right in CASES:
        got = claimgraph.correct(text, context=context, settings=settings).corrected.text
        assert got in (text, right or text)
        outcomes.append(got == (right or text))
    assert sum(outcomes) >= 19
