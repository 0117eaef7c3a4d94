"""Report on the language model of the settings: whether it answers, its prices, and its cached answers."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlsplit

from claimgraph import wiring
from claimgraph.kgstore.upkeep import completions
from claimgraph.llm.probe import probe
from claimgraph.settings import Settings


@dataclass(frozen=True, slots=True)
class LLMStatus:
    """`host` and `model` None where none is set, and then `problem`, `schema` and `seconds` too.

    `problem` None where it answered, in `seconds`; `schema`: the server held the answer to a JSON schema. `kept`
    answers by model. Prices are per million tokens, None if unknown; `budget` in tokens a run, None without limit.
    """

    host: str | None
    model: str | None
    answers: bool
    problem: str | None
    schema: bool | None
    seconds: float | None
    kept: dict[str, int]
    price_in: float | None
    price_out: float | None
    budget: int | None


def status(settings: Settings) -> LLMStatus:
    """Ask the language model one short question, and count the stored answers. Raises InputError, StoreError."""
    url, model = settings.llm_base_url, settings.llm_model
    found = probe(url, model, settings.llm_api_key, settings.llm_timeout) if url and model else None
    with wiring.open_store(settings, read_only=True) as store:
        kept = completions.counts(store)
    return LLMStatus(
        host=urlsplit(url).hostname if url and model else None,
        model=model if url else None,
        answers=found is not None and found.problem is None,
        problem=found.problem if found else None,
        schema=found.schema if found else None,
        seconds=round(found.seconds, 3) if found else None,
        kept=kept,
        price_in=settings.llm_price_in,
        price_out=settings.llm_price_out,
        budget=settings.llm_budget,
    )
