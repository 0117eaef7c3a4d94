"""Load a first world graph for a new user: the bundled sample, and the ways to a larger one."""

from __future__ import annotations

from importlib.resources import as_file, files

from claimgraph.kgstore.ingest.flow import IngestReport, ingest
from claimgraph.kgstore.store import GraphStore
from claimgraph.settings import Settings


def load_sample(store: GraphStore, graph: str) -> IngestReport:
    """Load the bundled sample of Wikidata (CC0) into a graph; a second time changes nothing."""
    with as_file(files("claimgraph") / "data" / "demo" / "wikidata.nt") as path:
        return ingest(store, path, graph)


def first_steps(settings: Settings) -> list[dict[str, str]]:
    """Return the ways to a first world graph, the quickest first, as `do` (a command or setting) and `why`."""
    steps = [
        ("claimgraph cache starter --sample", "a few hundred facts that come with claimgraph, offline and at once"),
        ("claimgraph cache starter --text FILE", "the things that a text of yours names, from Wikidata"),
        ('claimgraph cache starter --topic "Marie Curie"', "one thing and what it is joined to, from Wikidata"),
        (
            "claimgraph cache starter --dump latest-truthy.nt.bz2",
            "all of Wikidata from https://dumps.wikimedia.org/wikidatawiki/entities/ (40 GB; days, and a Neo4j)",
        ),
        ("claimgraph check TEXT --graph wikidata", "then check against it"),
    ]
    if settings.offline:
        steps.insert(1, ("unset CLAIMGRAPH_OFFLINE", "the network is refused now, and the next ways need it"))
    if not settings.contact:
        steps.insert(1, ("export CLAIMGRAPH_CONTACT=you@example.org", "public servers are told who asks; unset now"))
    return [{"do": do, "why": why} for do, why in steps]
