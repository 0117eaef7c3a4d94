"""Cache answers of language models, so that the same question costs nothing the second time.

In the store rather than in files of the cache folder: so they are backed up, copied and queried in Cypher with the
verdicts. The request is kept as a hash only, since a prompt repeats the texts under check; the answers stay until they
are purged, whatever else is deleted.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime

from claimgraph.kgstore.identity import completion_id, prompt_id
from claimgraph.kgstore.model import Request
from claimgraph.kgstore.store import GraphStore, Row

_PAGE = 10_000


def key_of(model: str, request: Request) -> str:
    """Return the id of the model's answer to a request; `likely` is not part of it."""
    return completion_id(
        model,
        _messages(request),
        temperature=request.temperature,
        top_p=request.top_p,
        max_tokens=request.max_tokens,
        schema=request.schema,
        sample=request.sample,
    )


def kept(store: GraphStore, ids: Iterable[str]) -> dict[str, str]:
    """Return those of the answers that are stored, by id, in one read."""
    wanted = sorted(set(ids))
    return {row["id"]: row["text"] for row in store.read("completions_by_id", ids=wanted)} if wanted else {}


def keep(store: GraphStore, model: str, answers: Mapping[Request, str]) -> None:
    """Store a model's answers, in one write; an answer that is there stays."""
    now = datetime.now(UTC)
    store.write(("put_completions", [_row(model, request, text, now) for request, text in answers.items()]))


def purge(store: GraphStore, model: str | None = None, before: datetime | None = None) -> int:
    """Delete the stored answers of a model (None is all), made before a time (None is ever), and return their
    number.
    """
    gone = 0
    while page := store.read("completions_made", model=model, before=before, limit=_PAGE):
        store.write(("delete_completions", page))
        gone += len(page)
    return gone


def counts(store: GraphStore) -> dict[str, int]:
    """Return the number of stored answers by model, in order."""
    return {row["model"]: row["answers"] for row in store.read("completion_counts")}


def _messages(request: Request) -> list[tuple[str, str]]:
    return [(message.role, message.content) for message in request.messages]


def _row(model: str, request: Request, text: str, now: datetime) -> Row:
    parameters = {
        "temperature": request.temperature,
        "top_p": request.top_p,
        "max_tokens": request.max_tokens,
        "schema": hashlib.sha256(request.schema.encode()).hexdigest() if request.schema else None,
        "sample": request.sample,
    }
    return {
        "id": key_of(model, request),
        "model": model,
        "prompt": prompt_id(_messages(request)),
        "parameters": json.dumps(parameters, sort_keys=True),
        "text": text,
        "createdAt": now,
    }
