"""Serve claimgraph to assistants over the Model Context Protocol, with the protocol's own SDK, on standard input.

Five tools: check, ask, verdicts, explain and cypher. Answers are short, since an assistant reads them: of a check the
problems with the sentences that decide them, not every number. Only `check` and `ask` write to the store.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, Annotated, Any, ParamSpec, TypeVar

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp_types import ToolAnnotations
from pydantic import Field

from claimgraph.input_texts import document_from_text
from claimgraph.kgstore import listings, reads
from claimgraph.kgstore.errors import ClaimgraphError
from claimgraph.kgstore.model import Outcome
from claimgraph.kgstore.store import QueryLimits
from claimgraph.reports.answer_report import as_json as answer_json
from claimgraph.reports.check_report import claim_json
from claimgraph.reports.places import cited
from claimgraph.reports.statements import StatementVerdict, problems, statements
from claimgraph.reports.stored_document import StoredDocument, stored_claim, stored_document
from claimgraph.wiring import Checker
from claimgraph.wiring.asker import Asker

if TYPE_CHECKING:
    from claimgraph.settings import Settings

_INSTRUCTIONS = """Checks claims of texts against a source or a stored knowledge graph, and answers from what is stored.
Use `check` before relying on a text that should follow from a source. SUPPORTED, REFUTED and NOT_ENOUGH_INFO are
verdicts on the given evidence alone; NOT_ENOUGH_INFO does not mean false."""
_READS = ToolAnnotations(read_only_hint=True, open_world_hint=False)
_WRITES = ToolAnnotations(read_only_hint=False, destructive_hint=False, idempotent_hint=True, open_world_hint=False)
_ROWS = 100

P = ParamSpec("P")
R = TypeVar("R")


def make_server(settings: Settings, checker: Checker) -> MCPServer[Any]:
    """Return the server with its tools, over one checker, whose store stays open."""
    server: MCPServer[Any] = MCPServer("claimgraph", instructions=_INSTRUCTIONS, log_level="WARNING")
    tools = _Tools(settings, checker)
    for tool, hints in (
        (tools.check, _WRITES),
        (tools.ask, _WRITES),
        (tools.verdicts, _READS),
        (tools.explain, _READS),
        (tools.cypher, _READS),
    ):
        server.add_tool(_told(tool), name=tool.__name__, annotations=hints, structured_output=True)
    return server


class _Tools:
    """The tools; what they return becomes an assistant's input, so unknown is null and nothing is invented."""

    def __init__(self, settings: Settings, checker: Checker) -> None:
        self._settings, self._checker = settings, checker

    def check(
        self,
        text: Annotated[str, Field(description="The text to check.")],
        context: Annotated[str | None, Field(description="The source that the text should follow from.")] = None,
        graphs: Annotated[list[str], Field(description="Names of stored graphs to check against.")] = [],  # noqa: B006
    ) -> dict[str, Any]:
        """Check every claim of a text against a source text, stored graphs, or both, and store the verdicts."""
        limit = self._settings.max_text
        document = document_from_text(text, limit, "the text")
        source = None if context is None else document_from_text(context, limit, "the context")
        report = self._checker.check(document, context=source, graphs=graphs)
        stored = stored_document(self._checker.store, report.document.id)
        found = statements(report)
        return {
            "document": report.document.id,
            "counts": {outcome.value: sum(one.outcome is outcome for one in found) for outcome in Outcome},
            "problems": [_problem(one, stored) for one in problems(found)],
            "supported": [one.text for one in found if one.outcome is Outcome.SUPPORTED],
            "notes": list(report.notes),
        }

    def ask(
        self,
        question: Annotated[str, Field(description="A question about entities of stored graphs.")],
        graphs: Annotated[list[str], Field(description="Names of stored graphs; none: all world graphs.")] = [],  # noqa: B006
    ) -> dict[str, Any]:
        """Answer a question from stored knowledge graphs, with the facts that the answer rests on."""
        shared = Asker(self._settings, graphs, store=self._checker.store, models=self._checker.models)
        return answer_json(shared.ask(question, mode="subgraph"))

    def verdicts(
        self,
        outcome: Annotated[Outcome | None, Field(description="Only this outcome.")] = None,
        entity: Annotated[str | None, Field(description="Only claims about this entity: a name or an id.")] = None,
        limit: Annotated[int, Field(ge=1, le=_ROWS, description="At most so many.")] = 20,
    ) -> dict[str, Any]:
        """List stored verdicts that hold, newest first."""
        rows = reads.current_verdicts(self._checker.store, outcome=outcome, entity=entity, limit=limit)
        columns = ("claim", "claimText", "outcome", "status", "reason", "method", "document", "documentName")
        return {"verdicts": [{column: row[column] for column in columns} for row in rows]}

    def explain(self, claim: Annotated[str, Field(description="Id of a claim (c1:...).")]) -> dict[str, Any]:
        """Explain the verdict on a claim: its evidence at its place in the source, and what was said of it before."""
        found = stored_claim(self._checker.store, claim)
        history = listings.claim_history(self._checker.store, claim)
        columns = ("outcome", "method", "reason", "holds")
        return claim_json(found.claims[0], found.verdicts[0], found.sources) | {
            "document": found.document.id,
            "history": [{column: row[column] for column in columns} for row in history],
        }

    def cypher(
        self,
        query: Annotated[str, Field(description="One read statement: MATCH ... RETURN ...")],
        params: Annotated[dict[str, Any], Field(description="Values of its $parameters.")] = {},  # noqa: B006
    ) -> dict[str, Any]:
        """Run one read statement in Cypher over documents, claims, verdicts, evidence and facts. Writes are refused."""
        limits = QueryLimits(self._settings.query_seconds, _ROWS, self._settings.query_memory)
        table = self._checker.store.query(query, params, limits)
        rows = [dict(zip(table.columns, row, strict=True)) for row in table.rows]
        return {"rows": rows, "truncated": table.truncated}


def _problem(one: StatementVerdict, stored: StoredDocument) -> dict[str, Any]:
    return {
        "statement": one.text,
        "outcome": one.outcome.value,
        "reason": one.verdict.reason,
        "claim": one.claim.id,
        "evidence": [
            {
                "text": citation.evidence.text,
                "stance": citation.stance.value,
                "source": cited(citation.evidence, stored.sources),
            }
            for citation in one.verdict.citations[:2]
        ],
    }


def _told(tool: Callable[P, R]) -> Callable[P, R]:
    """Return the tool with errors that claimgraph raises on purpose as the tool's own, in one line."""

    @wraps(tool)
    def called(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return tool(*args, **kwargs)
        except ClaimgraphError as error:
            raise ToolError(str(error)) from error

    return called
