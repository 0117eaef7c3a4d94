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
    concurrency: Annotated[int, typer.Option(help="Documents checked at once, each in a process.", min=1)] = 1,
) -> None:
    """Run a Celery worker on the configured broker and Neo4j."""
    from claimgraph.settings import load_settings
    from workers.app import make_app

    make_app(load_settings()).worker_main(["worker", "--loglevel=INFO", f"--concurrency={concurrency}"])
