"""claimgraph as an assistant sees it: a process of its own, asked by the protocol's own client."""

from __future__ import annotations

import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import anyio
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

CHECK = {
    "text": "Marie Curie was born in Paris. Marie Curie discovered polonium.",
    "context": "Marie Curie was born in Warsaw. Marie Curie discovered polonium.",
}
Call = Callable[[str, dict[str, Any]], Awaitable[Any]]


def _talk(folder: Path, ask: Callable[[Client], Awaitable[None]]) -> None:
    command = "from claimgraph.cli import main; main()"
    env = {"CLAIMGRAPH_STORE": str(folder / "store"), "CLAIMGRAPH_ENTAILMENT": "none"}
    server = StdioServerParameters(command=sys.executable, args=["-c", command, "mcp"], env=env)

    async def run() -> None:
        async with Client(stdio_client(server)) as client:
            await ask(client)

    anyio.run(run)


def _content(result: Any) -> dict[str, Any]:
    found: dict[str, Any] = result.structured_content
    return found


def test_an_assistant_checks_explains_and_asks(tmp_path: Path) -> None:
    """Five tools; a check tells problems with their evidence, what it stored is explained and asked in Cypher, and a
    mistake comes back as one line."""

    async def ask(client: Client) -> None:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert {"check", "ask", "verdicts", "explain", "cypher"} == set(tools)
        reading = {name for name, tool in tools.items() if tool.annotations and tool.annotations.read_only_hint}
        assert {"verdicts", "explain", "cypher"} == reading
        checked = _content(await client.call_tool("check", CHECK))
        [problem] = checked["problems"]
        assert ("REFUTED", ["Marie Curie discovered polonium."]) == (problem["outcome"], checked["supported"])
        assert "Warsaw" in problem["evidence"][0]["text"]
        told = _content(await client.call_tool("explain", {"claim": problem["claim"]}))
        assert [("REFUTED", True)] == [(one["outcome"], one["holds"]) for one in told["history"]]
        listed = _content(await client.call_tool("verdicts", {"outcome": "REFUTED"}))
        assert [problem["claim"]] == [row["claim"] for row in listed["verdicts"]]
        query = {"query": "MATCH (c:Claim) WHERE c.object = $o RETURN c.subject AS s", "params": {"o": "Paris"}}
        assert {"rows": [{"s": "Marie Curie"}], "truncated": False} == _content(await client.call_tool("cypher", query))
        for name, arguments, line in (
            ("cypher", {"query": "CREATE (n) RETURN n"}, "CREATE"),
            ("explain", {"claim": "c1:none"}, "no claim 'c1:none'"),
            ("check", {"text": "Paris."}, "nothing to check against"),
            ("ask", {"question": "Who?"}, "graph"),
        ):
            refused = await client.call_tool(name, arguments)
            assert (True, True) == (refused.is_error, line in str(refused.content)), name

    _talk(tmp_path, ask)
