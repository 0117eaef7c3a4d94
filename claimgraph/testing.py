"""Assert in tests that what a program writes is supported by its source.

from claimgraph.testing import assert_supported

def test_summary():
    assert_supported(summarise(ARTICLE), ARTICLE)
"""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from claimgraph.kgstore.model import Outcome, Report
from claimgraph.reports.formats import FORMATS
from claimgraph.session import Session
from claimgraph.settings import Settings, load_settings


def assert_supported(
    text: str, context: str | Sequence[str], *, open_is_fine: bool = False, settings: Settings | None = None
) -> Report:
    """Check a text against a context; return the report, or raise AssertionError that lists the problems.

    A claim fails where it is refuted, and without `open_is_fine` also where the context does not say so. Verdicts are
    stored in a folder of the process, which is removed with it; models are loaded once.
    """
    with Session(replace(settings or load_settings(), neo4j_uri=None, store=_folder() / "store")) as session:
        report = session.check(text, context=context)
    fine = {Outcome.SUPPORTED, Outcome.NOT_ENOUGH_INFO} if open_is_fine else {Outcome.SUPPORTED}
    if any(verdict.outcome not in fine for verdict in report.verdicts):
        raise AssertionError("the context does not support the text\n" + FORMATS["markdown"](report))
    return report


@lru_cache(maxsize=1)
def _temporary() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="claimgraph-")


def _folder() -> Path:
    return Path(_temporary().name)
