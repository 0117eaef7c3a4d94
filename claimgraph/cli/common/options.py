"""Options that several commands share."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

GraphOption = Annotated[list[str] | None, typer.Option(help="Stored graph; repeatable. Unset: all world graphs.")]


class Nei(StrEnum):
    """Meanings of NOT_ENOUGH_INFO where the evidence is incomplete."""

    HALLUCINATION = "hallucination"
    ABSTAIN = "abstain"
