"""`claimgraph serve` and `claimgraph worker`: start the long-running processes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from socket import socket


def serve(
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="Port to listen on.", min=0, max=65535)] = 8000,
) -> None:
    """Serve the web page and the HTTP API. Without keys (claimgraph keys add) it listens on loopback only.

    Other commands work on the same store meanwhile.
    """
    from claimgraph.kgstore.extras import require

    require("web")
    from claimgraph.kgstore.errors import UsageError
    from claimgraph.settings import load_settings
    from claimgraph.web.access import is_loopback
    from claimgraph.web.app import make_app
    from claimgraph.web.connections import server
    from claimgraph.web.keys import Keys

    settings = load_settings()
    if not is_loopback(host) and not Keys(settings.keys_file).all():
        raise UsageError(f"{host} can be reached by others, and there is no key: claimgraph keys add NAME")
    app = make_app(settings)
    with _listening(host, port) as listener:
        typer.echo(f"claimgraph: http://{host}:{listener.getsockname()[1]}", err=True)
        server(app).run(sockets=[listener])


def _listening(host: str, port: int) -> socket:
    """Return a socket that listens there. Raises UsageError where that cannot be."""
    import socket

    from claimgraph.kgstore.errors import UsageError

    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family)
    except OSError as error:
        raise UsageError(f"cannot listen at {host}:{port} ({error.strerror}): --port 0 takes a free one") from None


def mcp() -> None:
    """Serve claimgraph to assistants over the Model Context Protocol, on standard input and output.

    Example, as an assistant's configuration: {"mcpServers": {"claimgraph": {"command": "claimgraph", "args": ["mcp"]}}}
    """
    from claimgraph.kgstore.extras import require
    from claimgraph.settings import load_settings

    require("mcp")
    from claimgraph.mcp_server import make_server
    from claimgraph.wiring import Checker

    settings = load_settings()
    with Checker(settings) as checker:
        make_server(settings, checker).run("stdio")


def worker(
    queues: Annotated[str, typer.Option(help="Queues to work on.")] = "cpu,net,bulk",
    concurrency: Annotated[int, typer.Option(help="Processes, each on one document at a time.", min=1)] = 1,
    metrics_port: Annotated[int | None, typer.Option(help="Answer Prometheus on this port.", min=0, max=65535)] = None,
    metrics_host: Annotated[str, typer.Option(help="Address to answer Prometheus on.")] = "127.0.0.1",
    ping: Annotated[
        bool, typer.Option("--ping", help="Only ask whether a worker of this machine answers; exit with 3 if not.")
    ] = False,
) -> None:
    """Work on submitted documents, with the configured broker and Neo4j, until told to stop."""
    from claimgraph.kgstore.extras import require
    from claimgraph.settings import load_settings

    require("workers")
    settings = load_settings()
    if ping:
        from claimgraph.health import State, workers_health

        found = workers_health(settings, here=True)
        typer.echo(found.detail)
        raise typer.Exit(0 if found.state is State.OK else 3)
    from claimgraph.workers.worker import work

    metrics = None if metrics_port is None else (metrics_host, metrics_port)
    work(settings, [name.strip() for name in queues.split(",")], concurrency, metrics=metrics)
