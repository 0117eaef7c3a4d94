"""claimgraph: text in, verdicts stored in a graph, asked back in Cypher.

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
    from claimgraph.answered import AskReport
    from claimgraph.correction import CorrectionReport
    from claimgraph.facade import ask, check, correct, open_store, retrofit
    from claimgraph.retrofitting import RetrofitReport
    from claimgraph.settings import Settings, load_settings
    from kgstore.errors import ClaimgraphError, InputError, ServiceError
    from kgstore.model import Claim, Document, Evidence, Outcome, Report, Status, Verdict

_HOMES = {
    "ask": "claimgraph.facade",
    "AskReport": "claimgraph.answered",
    "check": "claimgraph.facade",
    "correct": "claimgraph.facade",
    "CorrectionReport": "claimgraph.correction",
    "open_store": "claimgraph.facade",
    "retrofit": "claimgraph.facade",
    "RetrofitReport": "claimgraph.retrofitting",
    "Settings": "claimgraph.settings",
    "load_settings": "claimgraph.settings",
    "ClaimgraphError": "kgstore.errors",
    "InputError": "kgstore.errors",
    "ServiceError": "kgstore.errors",
    "Claim": "kgstore.model",
    "Document": "kgstore.model",
    "Evidence": "kgstore.model",
    "Outcome": "kgstore.model",
    "Report": "kgstore.model",
    "Status": "kgstore.model",
    "Verdict": "kgstore.model",
}

__all__ = [
    "AskReport",
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
    if name not in _HOMES:
        raise AttributeError(f"module 'claimgraph' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return __all__
