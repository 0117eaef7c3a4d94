"""A LlamaIndex evaluator of faithfulness: is the response supported by the contexts that were retrieved for it?"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from llama_index.core.evaluation import BaseEvaluator, EvaluationResult
from llama_index.core.prompts.mixin import PromptDictType, PromptMixinType

from claimgraph.integrations.judgement import judge
from claimgraph.settings import Settings


class ClaimEvaluator(BaseEvaluator):
    """Passes where every statement of a response is supported; the score is their share, the feedback the problems."""

    def __init__(self, settings: Settings | None = None, method: str = "fused") -> None:
        self._settings, self._method = settings, method

    async def aevaluate(
        self,
        query: str | None = None,
        response: str | None = None,
        contexts: Sequence[str] | None = None,
        **_: Any,
    ) -> EvaluationResult:
        """Evaluate one response. Raises ValueError without a response or contexts."""
        if not response or not contexts:
            raise ValueError("a response and its contexts are needed")
        found = await asyncio.to_thread(judge, response, list(contexts), self._settings, self._method)
        return EvaluationResult(
            query=query,
            response=response,
            contexts=list(contexts),
            passing=found.passing,
            score=found.score,
            feedback=found.reason,
        )

    def _get_prompts(self) -> PromptDictType:
        return {}

    def _update_prompts(self, prompts: PromptDictType) -> None:
        """Do nothing: there are no prompts."""

    def _get_prompt_modules(self) -> PromptMixinType:
        return {}
