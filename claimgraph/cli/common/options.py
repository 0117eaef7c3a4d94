"""Options that several commands share."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from claimgraph.cli.common.completion import graphs

if TYPE_CHECKING:
    from claimgraph.kgstore.model import Document
    from claimgraph.settings import Settings

TextArgument = Annotated[
    str, typer.Argument(help="The text, a file (text, .md, .html, .pdf, .docx), or - for standard input.")
]
ContextOption = Annotated[
    list[str] | None,
    typer.Option(
        help="What to check against (closed domain): a file, a folder, a pattern such as 'sources/*.md', or -; "
        "repeatable.",
    ),
]
FetchOption = Annotated[
    bool, typer.Option("--fetch-urls", help="Fetch texts and contexts that are http(s) addresses; else refused.")
]
GraphOption = Annotated[
    list[str] | None, typer.Option(help="Stored graph; repeatable. Unset: all world graphs.", autocompletion=graphs)
]


def read_texts(
    settings: Settings, text: str, context: Sequence[str], *, fetch: bool
) -> tuple[Document, list[Document]]:
    """Return the text and its contexts as the arguments mean them. Raises UsageError where both are standard input."""
    from claimgraph.input_texts import read_argument, read_contexts
    from claimgraph.kgstore.errors import Offline, UsageError

    if [text, *context].count("-") > 1:
        raise UsageError("standard input can be the text or one context, not both")
    if fetch and settings.offline:
        raise Offline("--fetch-urls needs the network, and CLAIMGRAPH_OFFLINE refuses it")
    limit, private = settings.max_text, settings.fetch_private
    document = read_argument(text, limit, fetch=fetch, private=private)
    return document, read_contexts(context, limit, fetch=fetch, private=private)


class Kernel(StrEnum):
    """The programs that compute KEA's graph kernel."""

    OWN = "own"
    GRAKEL = "grakel"


KernelOption = Annotated[
    Kernel | None, typer.Option(help="Graph kernel of kea: own or GraKeL's; unset: CLAIMGRAPH_KERNEL's.")
]


def with_kernel(settings: Settings, kernel: Kernel | None) -> Settings:
    """Return the settings with the kernel that a command was given. Raises MissingExtra without GraKeL."""
    from dataclasses import replace

    from claimgraph.kgstore.extras import require

    if kernel is Kernel.GRAKEL:
        require("grakel")
    return settings if kernel is None else replace(settings, kernel_backend=kernel.value)


class Nei(StrEnum):
    """Meanings of NOT_ENOUGH_INFO where the evidence is incomplete."""

    HALLUCINATION = "hallucination"
    ABSTAIN = "abstain"


class FailOn(StrEnum):
    """Outcomes that make the exit code 1."""

    REFUTED = "refuted"
    UNSUPPORTED = "unsupported"
    NEVER = "never"

    def code(self, outcomes: Iterable[str]) -> int:
        """Return the exit code for verdicts of these outcomes."""
        bad = {"refuted": {"REFUTED"}, "unsupported": {"REFUTED", "NOT_ENOUGH_INFO"}, "never": set[str]()}
        return int(not bad[self.value].isdisjoint(outcomes))
