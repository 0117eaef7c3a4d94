"""`claimgraph graphs|forget|backup|restore|copy|migrate|stats`: maintain a store. Destructive commands ask first."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from claimgraph.cli.common.completion import ids

if TYPE_CHECKING:
    from claimgraph.settings import Settings

Yes = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]

graphs = typer.Typer(help="List the graphs of the store, or drop one.", invoke_without_command=True)


@graphs.callback()
def _graphs(context: typer.Context) -> None:
    """List the graphs of the store, or drop one."""
    if context.invoked_subcommand is None:
        list_graphs()


@graphs.command("list", epilog="Example: claimgraph graphs list")
def list_graphs(json: Json = False) -> None:
    """List the graphs that were ingested or fetched; --json also those of texts (claim) and of contexts."""
    from claimgraph import wiring
    from claimgraph.cli.common.printing import counted, print_json, print_table
    from claimgraph.kgstore.upkeep.stats import graphs as find
    from claimgraph.settings import load_settings

    with wiring.open_store(load_settings(), read_only=True) as store:
        rows = find(store)
    if json:
        print_json(rows)
        return
    worlds = [row for row in rows if row["kind"] == "world"]
    if worlds:
        print_table(("name", "facts", "version", "updated"), map(_world, worlds))
    else:
        typer.echo("no graph yet: claimgraph cache starter --sample, or claimgraph ingest FILE --graph NAME")
    texts, contexts = (sum(row["kind"] == kind for row in rows) for kind in ("claim", "context"))
    if texts or contexts:
        typer.echo(f"also the claims of {counted(texts, 'text')} and the facts of {counted(contexts, 'context')}")


def _world(row: Mapping[str, Any]) -> list[str]:
    return [row["name"], f"{row['facts']:,}", (row["version"] or "")[:8], f"{row['updatedAt']:%Y-%m-%d %H:%M}"]


@graphs.command("drop", epilog="Example: claimgraph graphs drop wikidata")
def drop(name: Annotated[str, typer.Argument(help="Name of an ingested graph.")], yes: Yes = False) -> None:
    """Delete an ingested graph: its facts, and the entities that nothing else uses. Verdicts stay."""
    from claimgraph import wiring
    from claimgraph.kgstore.arrays.export import forget_arrays
    from claimgraph.kgstore.upkeep.forget import drop_graph, graph_counts
    from claimgraph.settings import load_settings

    settings = load_settings()
    with wiring.open_store(settings) as store:
        _ask(f"Drop {name} with {_said(graph_counts(store, name))}?", yes)
        forget_arrays(settings.cache_folder, name)  # before: nobody drops again what a kill -9 left of a dropped graph
        found = drop_graph(store, name)
        forget_arrays(settings.cache_folder, name)
        typer.echo(f"dropped {name}: {_said(found)}")


def forget(
    key: Annotated[
        str,
        typer.Argument(
            metavar="ID",
            help="Id of a document (d1:...) or a run (r1:...), or how it begins.",
            autocompletion=ids("document", "check"),
        ),
    ],
    keep_answers: Annotated[
        bool,
        typer.Option(
            "--keep-answers", help="Keep language models' answers, which may repeat the text: none says whose it is."
        ),
    ] = False,
    yes: Yes = False,
) -> None:
    """Delete a document or a run with all that rests on it, caches and language models' answers included.

    A claim that stays falls back to an older verdict.
    """
    from claimgraph import wiring
    from claimgraph.kgstore.id_search import find_id
    from claimgraph.kgstore.upkeep.completions import counts, purge
    from claimgraph.kgstore.upkeep.forget import forget as delete
    from claimgraph.kgstore.upkeep.forget import plan
    from claimgraph.settings import load_settings
    from claimgraph.wiring.forgetting import forget_reading

    settings = load_settings()
    with wiring.open_store(settings) as store:
        key = find_id(store, key, ("document", "check"))
        answers = 0 if keep_answers else sum(counts(store).values())
        also = f", and all {answers} kept answers of language models" if answers else ""
        _ask(f"Delete {_said(plan(store, key).counts)}{also}?", yes)
        found = delete(store, key)
        forget_reading(settings, key)
        if answers:
            purge(store)
        typer.echo(f"deleted {_said(found)}{also}")


KeyOption = Annotated[
    Path | None, typer.Option("--key", help="File with a key of 32 bytes or more, by which the backup is sealed.")
]


def backup(
    file: Annotated[Path, typer.Argument(help="Where to write; .jsonl.gz by custom.")],
    key: KeyOption = None,
    verify: Annotated[
        bool, typer.Option("--verify", help="Write nothing: read a backup through and say whether it is whole.")
    ] = False,
    yes: Yes = False,
) -> None:
    """Write the whole store, as it is at one moment, to one file, which fits either engine."""
    from claimgraph import wiring
    from claimgraph.kgstore.upkeep import dump
    from claimgraph.settings import load_settings

    secret = _key(key)
    if verify:
        typer.echo(f"{file} is whole: {_said(dump.verify(file, secret))}")
        return
    if file.exists():
        _ask(f"Overwrite {file}?", yes)
    with wiring.open_store(load_settings(), read_only=True) as store:
        typer.echo(f"{file}: {_said(dump.dump(store, file, key=secret, moment=wiring.moment_of(store)))}")


def restore(
    file: Annotated[Path, typer.Argument(help="A file that `claimgraph backup` wrote.")],
    merge: Annotated[
        bool, typer.Option("--merge", help="Into a store that holds something: same ids are overwritten.")
    ] = False,
    key: KeyOption = None,
) -> None:
    """Load a backup into an empty store. Stopped half way, the store is refused until the same is done again."""
    from claimgraph import wiring
    from claimgraph.kgstore.upkeep.dump import restore as load
    from claimgraph.settings import load_settings

    with wiring.open_store(load_settings(), unfinished=True) as store:
        typer.echo(f"restored {_said(load(store, file, merge=merge, key=_key(key)))}")


def _key(file: Path | None) -> bytes | None:
    from claimgraph.kgstore.upkeep.sealing import read_key

    return read_key(file) if file else None


def copy(
    to: Annotated[str, typer.Option(help="bolt://... or neo4j://... (user and password as set), or a folder.")],
) -> None:
    """Copy the whole store into another, empty one, on either engine."""
    from claimgraph import wiring
    from claimgraph.kgstore.upkeep.transfer import copy as transfer
    from claimgraph.settings import load_settings

    settings = load_settings()
    with (
        wiring.open_store(settings, read_only=True) as source,
        wiring.open_store(_elsewhere(settings, to), unfinished=True) as target,
    ):
        typer.echo(f"copied {_said(transfer(source, target))} to {target.info().address}")


def migrate() -> None:
    """Bring the store's schema up to date. Every other command that writes does so too."""
    from claimgraph import wiring
    from claimgraph.kgstore.engines.migrations import migrate as apply
    from claimgraph.settings import load_settings

    with wiring.open_unmigrated(load_settings()) as store:
        applied = apply(store)
    typer.echo(f"applied {', '.join(applied)}" if applied else "nothing to do")


def repair() -> None:
    """Bring a damaged embedded store back to its last whole write. What is left out is kept in a file beside it."""
    from claimgraph.kgstore.engines.salvage import salvage
    from claimgraph.kgstore.errors import UsageError
    from claimgraph.settings import load_settings

    settings = load_settings()
    if settings.neo4j_uri:
        raise UsageError("repair is for the embedded store; Neo4j recovers when it starts, or from a backup")
    found = salvage(settings.store_folder)
    if found.aside is None:
        typer.echo(f"{settings.store_folder} is whole; nothing was changed")
        return
    typer.echo(
        f"kept {found.writes} writes since the last checkpoint; left out {found.lost} bytes, kept in {found.aside}"
    )


def stats(json: Json = False) -> None:
    """Count what the store holds."""
    from claimgraph import wiring
    from claimgraph.cli.common.printing import print_json, print_table
    from claimgraph.kgstore.upkeep.stats import stats as count
    from claimgraph.settings import load_settings

    with wiring.open_store(load_settings(), read_only=True) as store:
        found = count(store)
    if json:
        print_json(found)
        return
    print_table(("nodes", "count"), list(found["nodes"].items()))
    print_table(("facts of", "count"), list(_facts(found["facts"]).items()))
    print_table(("verdict", "method", "claims"), (list(row.values()) for row in found["verdicts"]))
    size = found["store"]["bytes"]
    typer.echo("{engine} {version} at {address}".format(**found["store"]) + (f", {size:,} bytes" if size else ""))


def _facts(by_graph: Mapping[str, int]) -> dict[str, int]:
    """Return the facts of each world graph, and those of all texts and of all contexts together."""
    together = {"claim": "claims of texts", "context": "contexts"}
    counts: dict[str, int] = {}
    for name, count in by_graph.items():
        shown = together.get(name.partition(":")[0], name) if ":" in name else name
        counts[shown] = counts.get(shown, 0) + count
    return counts


def _ask(question: str, yes: bool) -> None:
    """Continue only if the answer is yes. Raises UsageError where nobody can be asked."""
    from claimgraph.kgstore.errors import UsageError

    if yes:
        return
    if not _can_ask():
        raise UsageError(f"{question} There is no terminal to ask at; --yes does it without asking")
    if not typer.confirm(question):
        typer.echo("nothing was changed", err=True)
        raise typer.Exit


def _can_ask() -> bool:
    return sys.stdin.isatty()


def _said(counts: dict[str, int]) -> str:
    return ", ".join(f"{count} {kind}" for kind, count in counts.items())


def _elsewhere(settings: Settings, address: str) -> Settings:
    """Return the settings with another store: Neo4j's where the address has a scheme, else an embedded one in a
    folder.
    """
    if "://" in address:
        return replace(settings, neo4j_uri=address)
    return replace(settings, neo4j_uri=None, store=Path(address).expanduser())
