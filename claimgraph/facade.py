"""The functions users import from `claimgraph`: plain strings in, typed objects out."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from claimgraph import wiring
from claimgraph.input_texts import document_from_text
from claimgraph.session import Session
from claimgraph.settings import Settings, load_settings

if TYPE_CHECKING:
    from claimgraph.answering.answer import AskReport
    from claimgraph.exports.report import CheckReport
    from claimgraph.kgstore.store import GraphStore
    from claimgraph.repair.correction import CorrectionReport
    from claimgraph.repair.retrofitting import RetrofitReport


def check(
    text: str,
    *,
    context: str | Sequence[str] | None = None,
    graphs: Sequence[str] = (),
    method: str = "fused",
    preset: str | None = None,
    calibration: Path | None = None,
    settings: Settings | None = None,
) -> CheckReport:
    """Check every claim of `text` against `context` (one or several), stored `graphs`, or both; store the verdicts.

    `method` is fused, rules, grapheval, factalign or kea; `preset` None its default, `calibration` None the shipped
    one. `settings` default to the environment and files (load_settings). Raises InputError for an empty text, another
    method or preset, or where there is nothing to check against, NotFound for an unknown graph, ServiceError where a
    store or model fails.
    Models are loaded once a process; a Session also keeps the store open.
    """
    with Session(settings) as session:
        return session.check(
            text, context=context, graphs=graphs, method=method, preset=preset, calibration=calibration
        )


def correct(
    text: str, *, context: str, method: str = "deterministic", settings: Settings | None = None
) -> CorrectionReport:
    """Check `text` against `context`, correct refuted claims, check again, and store everything.

    `method` is deterministic (no language model: the evidence's words replace the wrong ones), graphcorrect or direct
    (both ask the language model of the settings). Raises what check raises, InputError for another method, UsageError
    where the method needs a language model and the settings name none.
    """
    settings = settings or load_settings()
    document = document_from_text(text, settings.max_text, "the text")
    against = document_from_text(context, settings.max_text, "the context")
    with wiring.Checker(settings) as checker:
        return checker.correct(document, wiring.corrector(checker.models, method), context=against)


def retrofit(
    text: str,
    *,
    question: str | None = None,
    graphs: Sequence[str] = (),
    mode: str | None = None,
    limit: int | None = None,
    settings: Settings | None = None,
) -> RetrofitReport:
    """Correct a draft by stored `graphs` (all world graphs where none is named), with at most `limit` rewritings (3
    where it is None), and store every pass and edit (KGR).

    `mode` is deterministic (the evidence's words replace the wrong ones) or llm (`question` is what the draft answers);
    None is llm where the settings name a language model. Raises InputError, NotFound for an unknown graph, UsageError
    for llm without a language model, ServiceError where a store or model fails. For many drafts,
    claimgraph.wiring.retrofitter.Retrofitter keeps store and models open.
    """
    from claimgraph.wiring.retrofitter import Retrofitter

    settings = settings or load_settings()
    document = document_from_text(text, settings.max_text, "the text")
    with Retrofitter(settings, graphs, mode=mode) as retrofitter:
        return retrofitter.retrofit(document, question, limit)


def ask(
    question: str,
    *,
    graphs: Sequence[str] = (),
    mode: str = "subgraph",
    prompt: str = "zero",
    retrofit: bool = False,
    settings: Settings | None = None,
) -> AskReport:
    """Answer a question from stored `graphs` (all world graphs where none is named), and store the answer.

    `mode` is none, random, text, triplet, path or subgraph. With a language model in the settings it writes the answer,
    by `prompt` zero, 4-shot, cot or cot-sc, and every sentence is checked, or, with `retrofit`, corrected by the graphs
    (KGR). Raises InputError, NotFound for an unknown graph, ServiceError where a store or model fails. For many
    questions, claimgraph.wiring.asker.Asker keeps store and models open.
    """
    from claimgraph.wiring.asker import Asker

    with Asker(settings or load_settings(), graphs) as asker:
        return asker.ask(question, mode=mode, prompt=prompt, retrofit=retrofit)


def open_store(settings: Settings | None = None, *, read_only: bool = True) -> GraphStore:
    """Return the store of the settings as a context manager, to query with `store.query(text, params, limits)`."""
    return wiring.open_store(settings or load_settings(), read_only=read_only)
