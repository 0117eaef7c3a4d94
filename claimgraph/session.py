"""Check many texts with a store and models that are opened once."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Self

from claimgraph import wiring
from claimgraph.exports.report import CheckReport
from claimgraph.input_texts import document_from_text
from claimgraph.kgstore.model import Document
from claimgraph.settings import Settings, load_settings


class Session:
    """An opened store with models that are loaded when first used. A context manager; leaving it closes the store.

    Its methods may be called from several threads; checks run one at a time. Sessions of one process share the
    models that come along. Not for use after a fork. `settings` default to the environment and files (load_settings).
    """

    def __init__(self, settings: Settings | None = None) -> None:
        self._settings = settings or load_settings()
        self._turn = threading.Lock()
        self._checker = wiring.Checker(self._settings)

    def check(
        self,
        text: str,
        *,
        context: str | Sequence[str] | None = None,
        graphs: Sequence[str] = (),
        method: str = "fused",
        preset: str | None = None,
        calibration: Path | None = None,
    ) -> CheckReport:
        """Check a text against one or several contexts, stored graphs, or both: see claimgraph.check."""
        limit = self._settings.max_text
        with self._turn:
            report = self._checker.check(
                document_from_text(text, limit, "the text"),
                context=self._contexts(context),
                graphs=graphs,
                method=method,
                preset=preset,
                calibration=calibration,
            )
        return CheckReport.of(report)

    def check_many(
        self, texts: Iterable[str], *, context: str | Sequence[str] | None = None, **options: Any
    ) -> Iterator[CheckReport]:
        """Yield the reports of texts, in order; options as for check. A context is read once for all of them."""
        for text in texts:
            yield self.check(text, context=context, **options)

    async def check_async(self, text: str, **options: Any) -> CheckReport:
        """Check a text in a thread of its own, so that an event loop goes on; options as for check."""
        return await asyncio.to_thread(partial(self.check, text, **options))

    def close(self) -> None:
        """Close the store. Calling it twice is fine."""
        self._checker.close()

    def _contexts(self, context: str | Sequence[str] | None) -> list[Document]:
        given = [] if context is None else [context] if isinstance(context, str) else list(context)
        limit = self._settings.max_text
        names = ["the context"] if len(given) == 1 else [f"context {at}" for at in range(1, len(given) + 1)]
        found = [document_from_text(text, limit, name) for text, name in zip(given, names, strict=True)]
        return found if len(found) == 1 else [replace(one, name=name) for one, name in zip(found, names, strict=True)]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
