"""Language models: the one client, and its costs."""

from claimgraph.llm.client import OpenAIChat
from claimgraph.llm.spending import Spending, asked_tokens, estimated_tokens

__all__ = ["OpenAIChat", "Spending", "asked_tokens", "estimated_tokens"]
