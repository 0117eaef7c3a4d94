"""Clauses that leave out the verb of the clause before are said in full, and hang on nothing else."""

from __future__ import annotations

import pytest

from claimgraph.detect.extraction.extractor import RuleExtractor
from claimgraph.kgstore.identity import document_id
from claimgraph.kgstore.model import Document


def statements(text: str) -> list[str]:
    """The statements of a text, each once, in order."""
    [extraction] = RuleExtractor().extract([Document(document_id(text), text)])
    return list(dict.fromkeys(claim.statement for claim in extraction.claims))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "A survey in 1998 counted 6,000 animals, one in 2014 only 36.",
            ["A survey in 1998 counted 6,000 animals.", "One survey in 2014 counted only 36 animals."],
        ),
        ("The body is of steel, the handle of bamboo.", ["The body is of steel.", "The handle is of bamboo."]),
        (
            "The first edition sold 400 copies, the second 12,000.",
            ["The first edition sold 400 copies.", "The second edition sold 12,000 copies."],
        ),
        ("The zippers are by YKK, the straps by Durex.", ["The zippers are by YKK.", "The straps are by Durex."]),
        (
            "The old locks are 33 metres wide, the new ones, opened in 2016, 55 metres.",
            ["The old locks are 33 metres wide.", "The new locks, opened in 2016, are 55 metres wide."],
        ),
        (
            "The town has 4,000 people, the district 20,000 and the county 90,000.",
            ["The town has 4,000 people.", "The district has 20,000 people.", "The county has 90,000 people."],
        ),
        (
            "The larger tent weighs 2 kg, the smaller one 1 kg.",
            ["The larger tent weighs 2 kg.", "The smaller tent weighs 1 kg."],
        ),
        ("Ann Lee won 40 votes, Tom Hill 38.", ["Ann Lee won 40 votes.", "Tom Hill won 38 votes."]),
        (
            "The house was built in 1890, the stables in 1902.",
            ["The house was built in 1890.", "The stables were built in 1902."],
        ),
        ("Ann was born in Oslo, Bob in Lund.", ["Ann was born in Oslo.", "Bob was born in Lund."]),
        (
            "The Aero is sold in May, and the Borea in June.",
            ["The Aero is sold in May.", "The Borea is sold in June."],
        ),
        (
            "The library opens at nine and the museum at ten.",
            ["The library opens at nine.", "The museum opens at ten."],
        ),
    ],
)
def test_a_clause_without_a_verb_is_said_in_full(text: str, expected: list[str]) -> None:
    """The verb and the noun of the clause before are supplied; neither clause has words of the other."""
    assert expected == sorted(statements(text), key=expected.index)


@pytest.mark.parametrize(
    "text",
    [
        "She moved to Oslo, the capital of Norway.",
        "The company moved to Oslo, the gateway to the north.",
        "It cost 40 million euros, the highest sum in 10 years.",
        "The pack costs 129 euros, 20 more than its predecessor.",
        "The children ate 12 apples, a cake and 20 biscuits.",
        "The firm has 200 employees, a plant in Lund and an office in Room 12.",
        "The trip takes two hours by train and an hour by car.",
        "Two people died, a boy of six and a girl aged 7.",
        "Ann was born in Lund, Sweden in May.",
        "The team lost in Oslo and the cup in Bergen.",
    ],
)
def test_appositions_and_lists_are_no_clauses(text: str) -> None:
    """What says more of a noun, or goes on a list, gets no verb."""
    verbs = ("moved", "cost", "costs", "ate", "has", "takes", "died", "lost", "was")
    assert not any(
        said.split()[0] in {"The", "A", "An", "Sweden"} and {*said.split()[1:3]} & {*verbs}
        for said in statements(text)[1:]
    )
