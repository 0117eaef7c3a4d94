"""claimgraph: text in, verdicts stored in a graph, queried in Cypher.

    import claimgraph

    report = claimgraph.check("Paris is the capital of Italy.", context="Rome is the capital of Italy.")
    for claim, verdict in zip(report.claims, report.verdicts):
        print(claim.triple.text, verdict.outcome, verdict.reason)

The only package users import. Names are loaded when first used, so `import claimgraph` costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from claimgraph.answering.answer import AskReport
    from claimgraph.exports.report import CheckReport
    from claimgraph.facade import ask, check, correct, open_store, retrofit
    from claimgraph.kgstore.errors import ClaimgraphError, InputError, ServiceError
    from claimgraph.kgstore.model import Claim, Document, Evidence, Outcome, Report, Status, Verdict
    from claimgraph.repair.correction import CorrectionReport
    from claimgraph.repair.retrofitting import RetrofitReport
    from claimgraph.session import Session
    from claimgraph.settings import Settings, load_settings

_HOMES = {
    "ask": "claimgraph.facade",
    "AskReport": "claimgraph.answering.answer",
    "check": "claimgraph.facade",
    "correct": "claimgraph.facade",
    "CorrectionReport": "claimgraph.repair.correction",
    "open_store": "claimgraph.facade",
    "retrofit": "claimgraph.facade",
    "RetrofitReport": "claimgraph.repair.retrofitting",
    "CheckReport": "claimgraph.exports.report",
    "Session": "claimgraph.session",
    "Settings": "claimgraph.settings",
    "load_settings": "claimgraph.settings",
    "ClaimgraphError": "claimgraph.kgstore.errors",
    "InputError": "claimgraph.kgstore.errors",
    "ServiceError": "claimgraph.kgstore.errors",
    "Claim": "claimgraph.kgstore.model",
    "Document": "claimgraph.kgstore.model",
    "Evidence": "claimgraph.kgstore.model",
    "Outcome": "claimgraph.kgstore.model",
    "Report": "claimgraph.kgstore.model",
    "Status": "claimgraph.kgstore.model",
    "Verdict": "claimgraph.kgstore.model",
}

__all__ = [
    "AskReport",
    "CheckReport",
    "Claim",
    "ClaimgraphError",
    "CorrectionReport",
    "Document",
    "Evidence",
    "InputError",
    "Outcome",
    "Report",
    "RetrofitReport",
    "ServiceError",
    "Session",
    "Settings",
    "Status",
    "Verdict",
    "ask",
    "check",
    "correct",
    "load_settings",
    "open_store",
    "retrofit",
]


def __getattr__(name: str) -> Any:
    if name == "__version__":
        return import_module("importlib.metadata").version("claimgraph")
    if name not in _HOMES:
        raise AttributeError(f"module 'claimgraph' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return __all__
