"""Who waits at a terminal sees how far a check is; who reads from a pipe sees nothing of it."""

from __future__ import annotations

import io
import sys
from types import SimpleNamespace
from typing import Any

import pytest
from long_texts import HashedPairs, HashedWords

from claimgraph.cli.common.progress import reading
from claimgraph.detect.extraction.extractor import RuleExtractor
from claimgraph.detect.models.embedder import CachedEmbedder
from claimgraph.detect.models.row_cache import VectorCache
from claimgraph.input_texts import document_from_text

TEXT = "Ann was born in Oslo.\n\nBob was born in Rome."


class _Screen(io.StringIO):
    """What is written to a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("screen", [_Screen(), io.StringIO()], ids=["terminal", "pipe"])
def test_every_part_of_a_check_is_shown(screen: io.StringIO, monkeypatch: pytest.MonkeyPatch) -> None:
    """Characters read of those of all texts, phrases embedded, and pairs compared, at a terminal only."""
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setenv("TERM", "xterm")
    document, models = document_from_text(TEXT, 1.0, "a text"), SimpleNamespace(entailment=HashedPairs())
    embedder: Any = CachedEmbedder(HashedWords(), VectorCache(None, "words", 64))  # type: ignore[arg-type]
    with reading(models, [document]):  # type: ignore[arg-type]
        RuleExtractor().extract([document])
        embedder.embed(["Ann", "Bob", "Oslo"])
        models.entailment.entail([("Ann was born in Oslo.", "Ann was born in Rome.")])
    shown = screen.getvalue()
    for said in (f"{len(TEXT)}/{len(TEXT)}", "characters read", "3/?", "phrases embedded", "1/1", "sentences compared"):
        assert (said in shown) is screen.isatty()
