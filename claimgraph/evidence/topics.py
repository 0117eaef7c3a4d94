"""What is known about a topic given by name: the passages that an answer about it is judged by.

A topic without passages has none, and is not judged: an empty source supports nothing, which would say that every
answer is wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from claimgraph.detect.compare.relations import sentence
from claimgraph.kgstore.errors import InputError, NotFound
from claimgraph.kgstore.model import Entity, Passage
from claimgraph.kgstore.naming import display_name, entity_id, same_name, search_words
from claimgraph.kgstore.reads import load_entities, load_summaries
from claimgraph.kgstore.store import GraphStore
from claimgraph.kgstore.upkeep.stale import graph_versions
from claimgraph.kgstore.views import StoreView

Topics = Callable[[str], tuple[Passage, ...]]
"""A topic's name, or a file's key of it (an id, DBpedia's IRI), to its passages; () where nothing is known of it."""

FACTS = 200
"""Facts a topic's passages hold at most, in each direction."""
_CANDIDATES = 20


def from_folder(folder: Path) -> Topics:
    """Return passages that are the .txt files of a folder, named by topic, case, accents and punctuation aside.

    Raises InputError where there is none.
    """
    files = {same_name(path.stem): path for path in text_files(folder)}

    def known(topic: str) -> tuple[Passage, ...]:
        path = files.get(same_name(title(topic)))
        return (Passage(path.read_text(encoding="utf-8", errors="replace"), path.name),) if path else ()

    return known


def title(key: str) -> str:
    """Return the name that an IRI ends with; any other key as it is."""
    return display_name(entity_id("", key)) if key.startswith("http") else key


def text_files(folder: Path) -> list[Path]:
    """Return the .txt files of a folder, by name. Raises InputError where there is none."""
    files = sorted(folder.glob("*.txt"))
    if not files:
        raise InputError(f"{folder}: no .txt files in it")
    return files


def from_store(store: GraphStore, graphs: Sequence[str], *, facts: bool = False) -> Topics:
    """Return passages that are the summaries of the entity of that id or name in some graphs; with `facts` all that is
    known.

    An answer made from the graph's facts agrees with them of itself, so they are no source for FActScore then. What a
    topic has in brackets must share a word with the entity's description: "Wendy (singer)" is not the film.
    """
    view = StoreView(store, tuple(graphs))

    def known(topic: str) -> tuple[Passage, ...]:
        found = load_entities(store, [topic, entity_id("wikidata", topic)])
        entity = next(iter(found.values()), None) or _entity(title(topic), view)
        if entity is None:
            return ()
        return about(entity, store, view) if facts else summaries(entity, store)

    return known


def world_graphs(store: GraphStore, names: Sequence[str] = ()) -> tuple[str, ...]:
    """Return the graphs of these names, or all world graphs of the store. Raises NotFound for a name it does not
    hold.
    """
    if names:
        known = graph_versions(store, names)
        for unknown in (name for name in names if name not in known):
            raise NotFound("graph", unknown)
        return tuple(names)
    return tuple(str(row["name"]) for row in store.read("graphs") if row["kind"] == "world")


def summaries(entity: Entity, store: GraphStore) -> tuple[Passage, ...]:
    """Return the texts about an entity."""
    texts = load_summaries(store, [entity.id])
    return tuple(Passage(text.text, text.source or entity.id, text.id) for _, text in texts)


def about(entity: Entity, store: GraphStore, view: StoreView) -> tuple[Passage, ...]:
    """Return summaries, description and facts of an entity, the facts as one passage; () for an entity it only
    names.
    """
    found = list(summaries(entity, store))
    if entity.description:
        found.append(Passage(f"{entity.name} is {entity.description}.", entity.source or entity.id))
    around = view.facts_around([entity.id], FACTS)
    facts = dict.fromkeys(sentence(around.triple(fact)) for fact in around.facts)
    if facts:
        found.append(Passage(" ".join(facts), entity.id))
    return tuple(found)


def _entity(topic: str, view: StoreView) -> Entity | None:
    """Return the entity named so whose description shares most words with what stands in brackets, ties by id."""
    name, _, rest = topic.strip().partition("(")
    hint = rest[:-1] if rest.endswith(")") else None
    name = topic.strip() if hint is None else name.rstrip()
    named = [e for e in view.candidates(name, _CANDIDATES) if same_name(e.name) == same_name(name)]
    words = set(search_words(hint or ""))
    shared = {e.id: len(words & set(search_words(e.description or ""))) for e in named}
    best = min(named, key=lambda entity: (-shared[entity.id], entity.id), default=None)
    return best if best and (shared[best.id] or not hint) else None
