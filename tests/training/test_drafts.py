"""Drafts about a source, with marks."""

from __future__ import annotations

from pathlib import Path

import pytest

from claimgraph.detect.extraction.extractor import RuleExtractor
from claimgraph.input_texts import document_from_text
from claimgraph.kgstore.model import Outcome
from training.drafts import Draft, read_drafts

PAIR = """# 7 minutes
The mill closed in 1931. Ann Lee bought it.
==
The mill [R opened|shut its gates] in 1931. It was sold to Ann Lee[N , a baker].
---
"""


def drafts(folder: Path, text: str = PAIR) -> list[Draft]:
    """The drafts of a file with this text."""
    path = folder / "some.txt"
    path.write_text(text, encoding="utf-8")
    return list(read_drafts(path))


def said(draft: Draft) -> list[tuple[str, Outcome]]:
    """The marked words of a draft with their outcomes."""
    return [(draft.text[place.start : place.end], outcome) for place, outcome in draft.errors]


def test_a_mark_with_true_words_makes_two_drafts(tmp_path):
    false, true = drafts(tmp_path)
    assert "The mill opened in 1931. It was sold to Ann Lee, a baker." == false.text
    assert [("opened", Outcome.REFUTED), (", a baker", Outcome.NOT_ENOUGH_INFO)] == said(false)
    assert "The mill shut its gates in 1931. It was sold to Ann Lee, a baker." == true.text
    assert [(", a baker", Outcome.NOT_ENOUGH_INFO)] == said(true)
    assert {("some-7", "minutes", "The mill closed in 1931. Ann Lee bought it.")} == {
        (one.document, one.kind, one.context) for one in (false, true)
    }


@pytest.mark.parametrize(
    "text", ["A pair without a title.\n==\nA draft.", "# 1 news\nA source.", "# 1 x\nA.\n==\n[R B."]
)
def test_what_is_no_pair_is_named(tmp_path, text):
    with pytest.raises(ValueError, match=r"some\.txt"):
        drafts(tmp_path, text)


def test_the_claim_that_has_the_marked_words_is_wrong(tmp_path):
    """Others of the same sentence are not."""
    [draft] = drafts(
        tmp_path, PAIR.replace("opened|shut its gates", "opened").replace("It was sold", "The mill was sold")
    )
    [read] = RuleExtractor().extract([document_from_text(draft.text, 1, "a draft")])
    found = {claim.sentence: outcome for claim, outcome in zip(read.claims, draft.outcomes(read.claims), strict=True)}
    assert {
        "The mill opened in 1931.": Outcome.REFUTED,
        "The mill was sold to Ann Lee.": Outcome.SUPPORTED,
        "Ann Lee was a baker.": Outcome.NOT_ENOUGH_INFO,
    } == found


def test_the_drafts_that_weights_are_fitted_to_can_be_read():
    files = sorted((Path(__file__).parents[2] / "training" / "drafts").glob("*.txt"))
    found = [draft for path in files for draft in read_drafts(path)]
    assert len(found) > 100
    assert all(draft.text and draft.context for draft in found)
