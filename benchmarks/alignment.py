"""FactAlign's second limitation, measured: `python benchmarks/alignment.py FOLDER [--facts 3000] [--claims 60]`.

Aligns claims with everything, and with the subgraph that detect/compare/shortlist.py retrieves, over a sample of
CoDEx-M's facts (FOLDER holds codex_m_triples.tsv.gz, entities.jsonl.gz and relations.jsonl). Claims are facts of the
sample said in other words: the relation paraphrased or cut to its last word, and every other one with another fact's
object. Prints the share of claims whose best match is the same, the share of facts embedded, and the seconds of both
without a cache.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import json
import random
import time
from pathlib import Path

from claimgraph.detect.compare import relations
from claimgraph.detect.compare.shortlist import shortlist
from claimgraph.detect.methods.factalign.alignment import Alignment, align
from claimgraph.detect.models.embedder import MiniLMEmbedder, Space
from claimgraph.kgstore.identity import claim_id, fact_id
from claimgraph.kgstore.model import Claim, Entity, Fact, Span, Subgraph


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--facts", type=int, default=3000)
    parser.add_argument("--claims", type=int, default=60)
    given = parser.parse_args()
    pick = random.Random(0)
    facts = sample(given.folder, given.facts, pick)
    claims = [
        _claim(facts, row, number, pick) for number, row in enumerate(pick.sample(range(given.facts), given.claims))
    ]
    MiniLMEmbedder().load()
    whole, whole_seconds = _aligned(claims, facts, retrieve=False)
    near, near_seconds = _aligned(claims, facts, retrieve=True)
    same = sum(a == b for a, b in zip(whole, near, strict=True)) / len(claims)
    print(f"{len(facts.facts)} facts, {len(claims)} claims: {same:.3f} of best matches identical; ", end="")
    print(f"everything {whole_seconds:.1f} s, retrieved {near_seconds:.1f} s")


def sample(folder: Path, size: int, pick: random.Random) -> Subgraph:
    """All facts about heads taken at random until there are enough, so that claims have rivals."""
    with gzip.open(folder / "entities.jsonl.gz", "rt", encoding="utf-8") as file:
        names = {row["qid"]: row["label"] for row in map(json.loads, file) if row["label"]}
    with (folder / "relations.jsonl").open(encoding="utf-8") as file:
        labels = {row["pid"]: row["label"] for row in map(json.loads, file)}
    with gzip.open(folder / "codex_m_triples.tsv.gz", "rt", encoding="utf-8") as file:
        rows = [row[:3] for row in csv.reader(file, delimiter="\t")]
    triples = [(h, r, t) for h, r, t in rows if h in names and r in labels and t in names]
    heads = sorted({head for head, _, _ in triples})
    pick.shuffle(heads)
    order = {head: place for place, head in enumerate(heads)}
    chosen = sorted(triples, key=lambda triple: order[triple[0]])[:size]
    nodes = {key: Entity(key, names[key]) for head, _, tail in chosen for key in (head, tail)}
    facts = tuple(Fact(fact_id("codex", h, r, t), "codex", h, r, labels[r], t) for h, r, t in chosen)
    return Subgraph(nodes, facts)


def _claim(facts: Subgraph, row: int, number: int, pick: random.Random) -> Claim:
    triple = facts.triple(facts.facts[row])
    spoken = relations.spoken(triple.predicate)
    predicate = spoken if spoken != triple.predicate else triple.predicate.split()[-1]
    other = facts.triple(pick.choice(facts.facts)).object if number % 2 else triple.object
    words = (triple.subject, predicate, other)
    return Claim(claim_id("d", number, number, *words), "d", *words, " ".join(words), Span(number, number))


def _aligned(claims: list[Claim], facts: Subgraph, *, retrieve: bool) -> tuple[list[str], float]:
    """The id of each claim's best fact, and the seconds with everything embedded anew."""
    start = time.perf_counter()
    space = Space(MiniLMEmbedder())
    near = shortlist(claims, facts, [{} for _ in claims], space) if retrieve else facts
    texts = [facts.triple(fact).text for fact in near.facts]
    space.add([claim.triple.text for claim in claims] + texts)
    found: Alignment = align(space.rows([claim.triple.text for claim in claims]), space.rows(texts))
    return [near.facts[best].id for best in found.best], time.perf_counter() - start


if __name__ == "__main__":
    main()
