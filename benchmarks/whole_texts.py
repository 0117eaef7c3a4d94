"""What a check tells of whole texts, from text to outcome, on sets whose claims' outcomes are known.

    python benchmarks/whole_texts.py DATA [--written training/drafts/fifth.txt] [--scenes scenes-held.jsonl.gz]

DATA has contrast/contrast.jsonl (minimal pairs) and drafts/drafts.jsonl (drafts with planted errors); the written
drafts are of training/drafts.py, and the scenes are held-out pairs of training.scene_pairs. A text is REFUTED if any of
its claims is, else NOT_ENOUGH_INFO if any claim is or none was made, else SUPPORTED; of the written drafts each
statement is judged by itself. The models are those of the settings. Its weights were fitted to the minimal pairs and
the drafts; fifth.txt to eighth.txt, blind.txt, later.txt, recent.txt, unseen.txt and the scenes have been read by
neither weights nor model.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import claimgraph
from training.drafts import Draft, read_drafts
from training.pair import LABELS, read

OUTCOMES = ("SUPPORTED", "NOT_ENOUGH_INFO", "REFUTED")
"""In the order of the labels of training pairs, the worst last."""
_SENTENCE_END = re.compile(r"[.!?]['\"”)]{0,2}\s+(?=[A-Z\"“(*#-])|\n+")


@dataclass(frozen=True, slots=True)
class Judged:
    """A claim's place in its text, and its outcome."""

    start: int
    end: int
    outcome: str

    def overlaps(self, other: tuple[int, int]) -> bool:
        """Return whether the claim shares a character with the span."""
        return self.start < other[1] and other[0] < self.end


def main() -> None:
    """Print a table a set."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--written", type=Path, nargs="*", default=[], help="drafts, with marks")
    parser.add_argument("--scenes", type=Path, help="pairs that the entailment model was not trained on")
    parser.add_argument("--limit", type=int, default=300, help="scenes' claims, a random choice")
    asked = parser.parse_args()
    contrast, drafts = (list(_lines(asked.data / name / f"{name}.jsonl")) for name in ("contrast", "drafts"))
    with tempfile.TemporaryDirectory() as folder, claimgraph.Session(_settings(Path(folder))) as session:
        _print_texts("minimal pairs", session, ((r["context"], r["text"], r["expected"]) for r in contrast))
        if asked.scenes:
            pairs = read(asked.scenes)
            some = random.Random(0).sample(pairs, min(asked.limit, len(pairs)))
            of_label = dict(zip(LABELS, OUTCOMES, strict=True))
            _print_texts("scenes", session, ((p.premise, p.hypothesis, of_label[p.label]) for p in some))
        for path in asked.written:
            _print_statements(path.stem, session, read_drafts(path))
        _print_drafts([(row, _judged(session, row["text"], row["context"])) for row in drafts])


def _settings(folder: Path) -> claimgraph.Settings:
    return claimgraph.Settings(store=folder / "store", cache=folder / "cache")


def _judged(session: claimgraph.Session, text: str, context: str) -> list[Judged]:
    report = session.check(text, context=context)
    found = zip(report.claims, report.verdicts, strict=True)
    return [Judged(claim.span.start, claim.span.end, verdict.outcome.value) for claim, verdict in found]


def _print_statements(name: str, session: claimgraph.Session, drafts: Iterable[Draft]) -> None:
    """Each distinct statement of a draft counts once, with the worst outcome of its claims: that is what is shown."""
    counts: Counter[tuple[str, str]] = Counter()
    for draft in drafts:
        report = session.check(draft.text, context=draft.context)
        found: dict[str, list[tuple[str, str]]] = defaultdict(list)
        for claim, one, verdict in zip(report.claims, draft.outcomes(report.claims), report.verdicts, strict=True):
            found[claim.sentence].append((one.value, verdict.outcome.value))
        counts.update(
            (_worst(one for one, _ in pairs), _worst(other for _, other in pairs)) for pairs in found.values()
        )
    _print_counts(name, "statements", counts)


def _worst(outcomes: Iterable[str]) -> str:
    return max(outcomes, key=OUTCOMES.index)


def _print_texts(name: str, session: claimgraph.Session, texts: Iterable[tuple[str, str, str]]) -> None:
    counts: Counter[tuple[str, str]] = Counter()
    for context, text, expected in texts:
        outcomes = {one.outcome for one in _judged(session, text, context)} or {"NOT_ENOUGH_INFO"}
        counts[expected, _worst(outcomes)] += 1
    _print_counts(name, "texts", counts)


def _print_counts(name: str, what: str, counts: Counter[tuple[str, str]]) -> None:
    """Print how often what was found is what was expected, of all and by outcome."""
    right = sum(n for (expected, found), n in counts.items() if expected == found)
    print(f"{name}: {right / counts.total():.3f} of {counts.total()} {what} judged rightly")
    for outcome in OUTCOMES:
        expected, found = (sum(n for pair, n in counts.items() if pair[at] == outcome) for at in (0, 1))
        same = counts[outcome, outcome]
        print(f"  {outcome}: precision {_share(same, found)} of {found}, recall {_share(same, expected)} of {expected}")
    for one, other in (("SUPPORTED", "REFUTED"), ("REFUTED", "SUPPORTED")):
        of_one = sum(n for pair, n in counts.items() if pair[0] == one)
        print(f"  {one} found {other}: {_share(counts[one, other], of_one)} of {of_one}")


def _print_drafts(drafts: list[tuple[dict[str, Any], list[Judged]]]) -> None:
    """An error counts as found where a claim over it is not supported; a right claim lies in a sentence without one."""
    errors = [(one, [j for j in judged if j.overlaps(_span(one))]) for row, judged in drafts for one in row["errors"]]
    false = [(one, over) for one, over in errors if one["outcome"] == "REFUTED"]
    refuted = [(j, _contradicted(row)) for row, judged in drafts for j in judged if j.outcome == "REFUTED"]
    right = [j for row, judged in drafts for j in judged if not any(j.overlaps(one) for one in _wrong(row))]
    gold = [(one, judged) for row, judged in drafts for one in row["claims"]]
    rows = {
        "planted errors found": [any(j.outcome != "SUPPORTED" for j in over) for _, over in errors],
        "contradicted errors refuted": [any(j.outcome == "REFUTED" for j in over) for _, over in false],
        "refuted claims that are false": [any(j.overlaps(one) for one in places) for j, places in refuted],
        "right claims refuted": [j.outcome == "REFUTED" for j in right],
        "right claims left open": [j.outcome == "NOT_ENOUGH_INFO" for j in right],
        "known claims covered": [any(j.overlaps(_span(one)) for j in judged) for one, judged in gold],
    }
    print(f"drafts: {len(drafts)}")
    for name, found in rows.items():
        print(f"  {name}: {_share(sum(found), len(found))} of {len(found)}")


def _wrong(row: dict[str, Any]) -> Iterator[tuple[int, int]]:
    """Yield the spans of the sentences that have an error."""
    text, start = row["text"], 0
    for end in (*(match.end() for match in _SENTENCE_END.finditer(text)), len(text)):
        if any(start < error["end"] and error["start"] < end for error in row["errors"]):
            yield start, end
        start = end


def _contradicted(row: dict[str, Any]) -> list[tuple[int, int]]:
    """Return the spans of the errors that the source contradicts."""
    return [_span(error) for error in row["errors"] if error["outcome"] == "REFUTED"]


def _span(one: dict[str, Any]) -> tuple[int, int]:
    return one["start"], one["end"]


def _share(part: int, whole: int) -> str:
    return f"{part / whole:.3f}" if whole else "none"


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    with path.open(encoding="utf-8") as file:
        yield from map(json.loads, file)


if __name__ == "__main__":
    main()
