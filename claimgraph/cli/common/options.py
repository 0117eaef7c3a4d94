"""Options that several commands share."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

GraphOption = Annotated[list[str] | None, typer.Option(help="Stored graph; repeatable. Unset: all world graphs.")]


class Nei(StrEnum):
    """What NOT_ENOUGH_INFO counts as where the evidence is not all there is."""

    HALLUCINATION = "hallucination"
    ABSTAIN = "abstain"
