"""The nearest sentences of a long context that a claim is read beside at last."""

from __future__ import annotations

from claimgraph.detect.compare.premise_choice import WIDE_WORDS, PremiseChooser
from claimgraph.detect.models.embedder import MiniLMEmbedder, Space
from claimgraph.kgstore.model import Passage


def test_many_sentences_are_the_nearest_in_text_order() -> None:
    """As many of the nearest sentences as have 300 words, in text order; of a short context all."""
    far = [f"{'rain and wind came over the hills ' * 9}{n}." for n in range(6)]
    near = ["The library of Ashby opens at nine.", "It is shut on Sundays, says the library."]
    said = [near[0], *far, near[1]]
    for sentences in (said, near):
        chooser = PremiseChooser([Passage(text, "context") for text in sentences], Space(MiniLMEmbedder()))
        [chosen] = chooser.choose(["The library of Ashby is shut on Sundays."])
        assert list(chosen.wide) == sorted(chosen.wide)
        assert {0, len(sentences) - 1} <= set(chosen.wide)
        words = sum(len(sentences[row].split()) for row in chosen.wide)
        assert words <= WIDE_WORDS
        assert len(chosen.wide) == len(sentences) or words + max(len(text.split()) for text in far) > WIDE_WORDS
