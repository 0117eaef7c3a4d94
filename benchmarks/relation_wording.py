"""How well the entailment model tells which relation of a graph a sentence means, in drafts whose facts are known.

    python benchmarks/relation_wording.py FOLDER DRAFTS [DRAFTS ...] [--limit 90] [--seed 0]

FOLDER is CoDEx's, DRAFTS are files of retrofit_drafts.py. One sentence of each wording is asked about, LIMIT of a file
at random. Its possible relations are those that the graph has of its subject and that take its object elsewhere, in
both directions. Printed are, by least probability, how many sentences get their relation, how many another one, and
how many get one although their own is taken away. No list of phrases is used.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import json
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from claimgraph import wiring
from claimgraph.detect.methods.open_domain.entailed_relations import in_words, probability
from claimgraph.settings import load_settings

LIMITS = (0.2, 0.3, 0.4, 0.5, 0.55)
_POSSESSIVE = {"his", "her", "its"}


@dataclass(frozen=True, slots=True)
class Asked:
    """A sentence, the relation it means, and the possible ones, each with whether it is read forward, in words."""

    sentence: str
    relation: str
    possible: tuple[tuple[str, bool, str], ...]


class Facts:
    """The relations of CoDEx-M: out of each entity, and into it."""

    def __init__(self, folder: Path) -> None:
        with (folder / "relations.jsonl").open(encoding="utf-8") as file:
            self.names = {row["pid"]: row["label"] for row in map(json.loads, file)}
        self.out: defaultdict[str, set[str]] = defaultdict(set)
        self.into: defaultdict[str, set[str]] = defaultdict(set)
        with gzip.open(folder / "codex_m_triples.tsv.gz", "rt", encoding="utf-8") as file:
            for head, relation, tail, *_ in csv.reader(file, delimiter="\t"):
                self.out[head].add(relation)
                self.into[tail].add(relation)

    def asked(self, draft: dict[str, Any], fact: dict[str, Any]) -> Asked:
        """Return the sentence that says a fact of a draft, with the relations it may mean."""
        subject, value = (fact[key].removeprefix("wd:") for key in ("subject_id", "written_id"))
        ends, names = (subject, value), (fact["subject"], fact["written"])
        possible = [
            (one, forward, in_words(self.names[one], *(names if forward else names[::-1])))
            for forward, (anchor, other) in ((True, ends), (False, ends[::-1]))
            for one in sorted(self.out[anchor] & self.into[other])
        ]
        return Asked(_sentence(draft["text"], fact), fact["predicate_id"].removeprefix("wd:"), tuple(possible))


def main() -> None:
    """Print a line a file and limit."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("drafts", type=Path, nargs="+")
    parser.add_argument("--limit", type=int, default=90)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    facts, model = Facts(args.folder), wiring.Models(load_settings()).entailment
    if model is None:
        parser.error("this needs an entailment model: CLAIMGRAPH_ENTAILMENT")
    print("| drafts | from | sentences | right | another | one although its own is gone |")
    print("| --- | --- | --- | --- | --- | --- |")
    for path in args.drafts:
        some = list(_wordings(path, args.limit, args.seed, facts))
        scores = iter(model.entail([(one.sentence, said) for one in some for _, _, said in one.possible]).tolist())
        rows = [(one, [probability(*next(scores)) for _ in one.possible]) for one in some]
        for least in LIMITS:
            found = [_found(one, chances, least) for one, chances in rows]
            gone = [_found(one, chances, least, without=True) for one, chances in rows]
            right = sum(key == one.relation for key, (one, _) in zip(found, rows, strict=True))
            other = sum(key is not None for key in found) - right
            print(f"| {path.stem} | {least} | {len(rows)} | {right} | {other} | {sum(map(bool, gone))} |")


def _found(asked: Asked, chances: list[float], least: float, *, without: bool = False) -> str | None:
    """Return the likeliest relation from `least` on; `without` leaves out that which is meant."""
    pairs = [
        (chance, key)
        for chance, (key, _, _) in zip(chances, asked.possible, strict=True)
        if chance >= least and not (without and key == asked.relation)
    ]
    return max(pairs, default=(0.0, None))[1]


def _wordings(path: Path, limit: int, seed: int, facts: Facts) -> Iterator[Asked]:
    """Yield one sentence of each wording of a relation, a random choice."""
    rows = [(draft, fact) for draft in map(json.loads, path.open(encoding="utf-8")) for fact in draft["facts"]]
    Random(seed).shuffle(rows)
    seen: set[tuple[str, str]] = set()
    for draft, fact in rows:
        said = _sentence(draft["text"], fact).replace(fact["subject"], "{s}").replace(fact["written"], "{o}")
        if (fact["predicate"], said) not in seen and len(seen) < limit:
            seen.add((fact["predicate"], said))
            yield facts.asked(draft, fact)


def _sentence(text: str, fact: dict[str, Any]) -> str:
    """Return a fact's clause as a sentence, its subject's name in place of what stands for it."""
    (start, end), (first, last), name = fact["span"], fact["subject_span"], fact["subject"]
    if not start <= first < last <= end:
        return f"{name} {text[start:end].rstrip('.,; ')}."
    own = text[first:last].casefold() in _POSSESSIVE or text[first:last].endswith("'s")
    said = f"{text[start:first]}{name}{chr(39) + 's' if own else ''}{text[last:end]}"
    return f"{said.rstrip('.,; ')}."


if __name__ == "__main__":
    main()
