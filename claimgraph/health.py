"""Check that every part works, for `claimgraph doctor` and the web page's health check."""

from __future__ import annotations

import platform
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum
from importlib.metadata import version
from pathlib import Path
from urllib.parse import urlsplit

from claimgraph import wiring
from claimgraph.kgstore.errors import ClaimgraphError, ModelError
from claimgraph.kgstore.extras import EXTRAS, missing
from claimgraph.kgstore.identity import document_id
from claimgraph.kgstore.model import Document
from claimgraph.kgstore.store import GraphStore
from claimgraph.settings import Settings


class State(StrEnum):
    """OK works; ABSENT is optional and missing; FAILED is needed or configured, and does not work."""

    OK = "ok"
    ABSENT = "absent"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Health:
    """One part, its state, and one line: what was found, or what is missing and how to get it."""

    part: str
    state: State
    detail: str


def examine(settings: Settings) -> list[Health]:
    """Return the health of every part in the order they are needed. Reads only; migrates nothing."""
    return [
        Health("claimgraph", State.OK, f"{version('claimgraph')} on Python {platform.python_version()}"),
        store_health(settings),
        *_store_limits(settings),
        _attempt("embedding model", lambda: _embeds(settings)),
        _entailment_model(settings),
        _attempt("extractor", lambda: _extracts(settings)),
        _language_model(settings),
        _broker(settings),
        workers_health(settings),
        *map(_extra, EXTRAS),
    ]


def store_health(settings: Settings) -> Health:
    """Check that the store answers, and name the migrations it lacks."""
    from claimgraph.kgstore.engines.migrations import pending

    def look() -> str:
        with wiring.open_unmigrated(settings, read_only=True) as store:
            info, missing = store.info(), pending(store)
        todo = f"; `claimgraph migrate` will apply {', '.join(missing)}" if missing else ""
        return f"{info.engine} {info.version} at {info.address}{todo}"

    return _attempt("store", look)


def _store_limits(settings: Settings) -> list[Health]:
    """Name the settings that a Neo4j lacks to bound what a query takes, and a user who may only read."""
    if not settings.neo4j_uri:
        return []
    from claimgraph.kgstore.engines.bolt import BoltStore
    from claimgraph.kgstore.engines.bolt_limits import missing_limits

    part = "store limits"
    try:
        with wiring.open_unmigrated(settings, read_only=True) as store:
            assert isinstance(store, BoltStore), "the settings name a Neo4j"
            lacking = missing_limits(store)
            edition = store.server_settings([])["edition"]
    except ClaimgraphError as error:
        return [Health(part, State.ABSENT, f"not known: {error}")]
    said = ["neo4j.conf lacks " + ", ".join(lacking)] if lacking else []
    if edition != "community" and settings.neo4j_query_username is None:
        said.append(
            "NEO4J_QUERY_USERNAME is not set: queries of users run as one who may write; make one with role reader"
        )
    if said:
        return [Health(part, State.ABSENT, "; ".join(said))]
    return [Health(part, State.OK, "time and memory of a query are bounded by the server")]


def _embeds(settings: Settings) -> str:
    """Embed a word with an empty cache, so that the model is loaded and checked."""
    with tempfile.TemporaryDirectory() as empty:
        embedder = wiring.embedder(replace(settings, cache=Path(empty)))
        return f"{embedder.model}, {embedder.embed(['claim']).shape[1]} dimensions"


def _entailment_model(settings: Settings) -> Health:
    """Score one pair with an empty cache, so that the model is loaded and checked."""
    part = "entailment model"
    if not settings.entails:
        return Health(part, State.ABSENT, "CLAIMGRAPH_ENTAILMENT is none: fusion does without, GraphEval cannot")

    def look() -> str:
        with tempfile.TemporaryDirectory() as empty:
            model = wiring.entailment(replace(settings, cache=Path(empty)))
            assert model, "the settings want one"
            [row] = model.entail([("A man plays a guitar on stage.", "A man plays music.")])
        return f"{model.model}, which finds that who plays a guitar plays music ({row[0]:.2f})"

    return _attempt(part, look)


def _extracts(settings: Settings) -> str:
    extractor = wiring.extractor(settings)
    text = "Marie Curie was born in Warsaw."
    if not extractor.extract([Document(document_id(text), text)])[0].claims:
        raise ModelError(f"{extractor.name} finds no claim in {text!r}")
    return extractor.name


def _language_model(settings: Settings) -> Health:
    """Ask the language model one short question."""
    from claimgraph.llm.probe import probe

    url, model, part = settings.llm_base_url, settings.llm_model, "language model"
    if not url or not model:
        unset = "CLAIMGRAPH_LLM_BASE_URL or CLAIMGRAPH_LLM_MODEL is not set: everything is done without one"
        return Health(part, State.ABSENT, unset)

    def look() -> str:
        found = probe(url, model, settings.llm_api_key, settings.llm_timeout)
        if found.problem:
            raise ModelError(found.problem)
        held = "holds" if found.schema else "does not hold"
        return f"{model} at {urlsplit(url).hostname} answers in {found.seconds:.1f} s and {held} to a JSON schema"

    return _attempt(part, look)


def answers(store: GraphStore) -> Health:
    """Check that an opened store still answers."""

    def look() -> str:
        info = store.info()
        return f"{info.engine} {info.version}"

    return _attempt("store", look)


def _broker(settings: Settings) -> Health:
    if not settings.broker_url:
        return Health("broker", State.ABSENT, "CELERY_BROKER_URL is not set: work is done in this process")

    def look() -> str:
        from claimgraph.workers.messaging.broker import address
        from claimgraph.workers.messaging.broker_inspection import depths

        waiting = ", ".join(f"{queue} {depth}" for queue, depth in depths(settings).items())
        return f"{address(settings.broker_url or '')} answers; waiting: {waiting}"

    return _attempt("broker", look)


def workers_health(settings: Settings, *, here: bool = False) -> Health:
    """Check that any worker answers through the broker; with `here` one of this machine."""
    if not settings.broker_url or not settings.neo4j_uri:
        return Health(
            "workers", State.ABSENT, "CELERY_BROKER_URL or NEO4J_URI is not set: work is done in this process"
        )
    try:
        from claimgraph.workers.messaging.broker_inspection import answering

        names = answering(settings, platform.node() if here else None)
    except Exception as error:  # a broker's client may raise anything
        return Health("workers", State.ABSENT, f"not asked, since the broker does not answer: {type(error).__name__}")
    if not names:
        return Health("workers", State.ABSENT, "none answers: start some with claimgraph worker")
    return Health("workers", State.OK, f"{len(names)} answer: {', '.join(names)}")


def _extra(name: str) -> Health:
    part, use = f"extra {name}", EXTRAS[name].use
    if missing(name):
        return Health(part, State.ABSENT, f"optional, {use}: pip install 'claimgraph[{name}]'")
    return Health(part, State.OK, use)


def _attempt(part: str, look: Callable[[], str]) -> Health:
    try:
        return Health(part, State.OK, look())
    except ClaimgraphError as error:
        return Health(part, State.FAILED, str(error))
    except Exception as error:  # a broker's client may raise anything; the doctor reports and goes on
        return Health(part, State.FAILED, f"{type(error).__name__}: {error}")
