"""Log a worker's events: one JSON object a line on standard error, its own and its libraries' alike.

Every line logged during a task has the task's ids, so a line of a driver or of a model is found by its run and document
too. No text of a document is logged: an error that is none of ours, whose message may quote one, is named by its class
and by where it arose; the whole line is kept with the task (`claimgraph runs --parked`). Secrets are removed from every
line. A library for JSON lines was rejected: what it saves is `json.dumps`.
"""

from __future__ import annotations

import json
import logging
import re
import sys
import traceback
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Any

from claimgraph.kgstore.errors import ClaimgraphError
from claimgraph.kgstore.runs.jobs import TaskLease
from claimgraph.settings import Settings
from claimgraph.workers.execution import task_errors
from claimgraph.workers.execution.task_errors import TaskError
from claimgraph.workers.execution.task_flow import ERROR, FAILED, OVERDUE, PARKED

_log = logging.getLogger(__name__)

_LONGEST = 500
_FRAMES = 6
_QUIET = ("celery.app.trace", "celery.worker.strategy", "httpx")
"""Loggers whose informative lines repeat for each task or request what is logged here already."""
_LEVELS = {FAILED: logging.WARNING, OVERDUE: logging.WARNING, ERROR: logging.WARNING, PARKED: logging.ERROR}
_USER = re.compile(r"://[^/@\s]*@")

_at_hand: ContextVar[TaskLease | None] = ContextVar("_at_hand", default=None)


def configure(settings: Settings, level: int = logging.INFO) -> None:
    """Configure logging of this process and its forks; Celery leaves it unchanged.

    Called again it changes nothing.
    """
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(Lines(settings))
    logging.basicConfig(handlers=[handler], level=level, force=True)
    logging.captureWarnings(True)
    for name in _QUIET:
        logging.getLogger(name).setLevel(logging.WARNING)


class Logged:
    """Logs a line when a task begins and when it is over. Implements task_flow.Observer."""

    def started(self, claimed: TaskLease) -> None:
        """A task was claimed: lines of this thread have its ids from now on."""
        _at_hand.set(claimed)
        _log.info("task started")

    def ended(self, claimed: TaskLease, result: str, seconds: float, trouble: TaskError | None = None) -> None:
        """It is over."""
        _at_hand.set(claimed)
        said: dict[str, Any] = {"seconds": round(seconds, 4), "result": result}
        if trouble:
            said |= {"kind": trouble.kind, "error": _ours(trouble)}
            said |= {"claims": trouble.claims} if trouble.claims else {}
        _log.log(_LEVELS.get(result, logging.INFO), "task ended", extra={"said": said})
        _at_hand.set(None)


class Lines(logging.Formatter):
    """Formats a record as a JSON object; `extra={"said": {...}}` adds fields to it."""

    def __init__(self, settings: Settings) -> None:
        super().__init__()
        self._settings = settings

    def format(self, record: logging.LogRecord) -> str:
        """Return one line, without secrets: time and level, the event, the current task, the added fields."""
        error = record.exc_info[1] if record.exc_info else None
        found = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "event": self._event(record, error),
            **_about(_at_hand.get()),
            **getattr(record, "said", {}),
            **(self._raised(error) if error else {}),
            "logger": record.name,
            "process": record.process,
        }
        return json.dumps({key: self._hidden(value) for key, value in found.items()}, ensure_ascii=False)

    def _event(self, record: logging.LogRecord, error: BaseException | None) -> str:
        """Return the message in one line; one that may quote a text is replaced by its class."""
        said = " ".join(record.getMessage().split())
        if error is not None and not isinstance(error, ClaimgraphError):
            for quoted in (task_errors.line(error, self._settings), " ".join(str(error).split()), repr(error)):
                said = said.replace(quoted, type(error).__name__) if quoted else said
        return said[:_LONGEST]

    def _raised(self, error: BaseException) -> dict[str, Any]:
        frames = traceback.extract_tb(error.__traceback__)[-_FRAMES:]
        where = [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in frames]
        return {"error": _ours(task_errors.trouble(error, self._settings)), "where": where}

    def _hidden(self, value: Any) -> Any:
        if isinstance(value, str):
            return _USER.sub("://…@", task_errors.hidden(value, self._settings))
        return [self._hidden(item) for item in value] if isinstance(value, list | tuple) else value


def _about(claimed: TaskLease | None) -> dict[str, Any]:
    """Return the ids of the current task; a job of several runs has theirs one after another."""
    if claimed is None:
        return {}
    task, job = claimed.task, claimed.job
    return {
        "run": " ".join(claimed.batches),
        "job": job.id,
        "task": task.name,
        "document": job.document,
        "attempt": claimed.attempt,
    }


def _ours(trouble: TaskError) -> str:
    """Return the line of an error of ours; the class of any other (task_errors.line puts it first)."""
    foreign = trouble.said == trouble.kind or trouble.said.startswith(f"{trouble.kind}: ")
    return trouble.kind if foreign else trouble.said
