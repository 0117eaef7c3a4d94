"""A LangChain runnable that evaluates a text by what it was made from.

chain | ClaimEvaluator()        # takes {"prediction": text, "reference": context or contexts}
"""

from __future__ import annotations

from typing import Any

from langchain_core.runnables import Runnable, RunnableConfig

from claimgraph.integrations.judgement import judge
from claimgraph.settings import Settings


class ClaimEvaluator(Runnable[dict[str, Any], dict[str, Any]]):
    """Returns `{score, value, reasoning}` as LangChain's string evaluators do: the share of supported statements, "Y"
    where all are, and the problems.
    """

    def __init__(self, settings: Settings | None = None, method: str = "fused") -> None:
        self._settings, self._method = settings, method

    def invoke(self, input: dict[str, Any], config: RunnableConfig | None = None, **_: Any) -> dict[str, Any]:
        """Evaluate one text."""
        return self._call_with_config(self._evaluated, input, config)

    def _evaluated(self, given: dict[str, Any]) -> dict[str, Any]:
        found = judge(given["prediction"], given["reference"], self._settings, self._method)
        return {"score": found.score, "value": "Y" if found.passing else "N", "reasoning": found.reason}
