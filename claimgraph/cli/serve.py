"""`claimgraph serve` and `claimgraph worker`: the processes that stay."""

from __future__ import annotations

from typing import Annotated

import typer


def serve(
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="Port to listen on.", min=0, max=65535)] = 8000,
) -> None:
    """Serve the web page and the HTTP API. There is no login: listen on loopback, or behind one that has."""
    import uvicorn

    from claimgraph.settings import load_settings
    from claimgraph.web.app import make_app

    uvicorn.run(make_app(load_settings()), host=host, port=port, log_level="warning")


def worker(
    queues: Annotated[
        str, typer.Option(help="Queues to work on; with model or net alone, tasks share one process.")
    ] = "cpu,model,net,bulk",
    concurrency: Annotated[
        int | None, typer.Option(help="Tasks at once: processes (1), or threads for model or net (8).", min=1)
    ] = None,
) -> None:
    """Work on submitted documents, with the configured broker and Neo4j, until told to stop."""
    from claimgraph.settings import load_settings
    from workers.worker import work

    work(load_settings(), [name.strip() for name in queues.split(",")], concurrency)
