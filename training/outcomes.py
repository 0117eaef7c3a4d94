"""The weights that decide claims: `python -m training.outcomes --data FOLDER --drafts F... --scenes F... --out FILE`.

Reads texts of which it is known for each claim whether it is supported, refuted or neither, as checking reads them,
with the entailment model of the settings or another: minimal pairs, drafts with planted errors, drafts that were
written for this (training/drafts.py), and scenes held out from training. Prints how often each outcome is right on
documents that the weights have not seen, then writes the calibration with them.

Outputs of the closed sets were rejected: of most of their claims it is known only that they are supported, so weights
that learn from them support too much. On drafts left out of the fit, 68 instead of 35 of 120 refuted claims were
supported, and the log loss of a claim was 0.88 instead of 0.74 (small model).
"""

from __future__ import annotations

import argparse
import json
import random
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np

from claimgraph import wiring
from claimgraph.detect.methods.fusion.calibration import dumps, load
from claimgraph.detect.methods.fusion.reading import readings
from claimgraph.detect.models.embedder import Space
from claimgraph.evaluation.fit.outcomes import ORDER, REFUTE, KnownClaim, fit_outcomes, held_out
from claimgraph.kgstore.model import Claim, Outcome, Span
from claimgraph.settings import Settings, load_settings
from training.cases import case_of
from training.drafts import Draft, read_drafts
from training.pair import LABELS, read

ARTICLES = "scene-articles"
"""The source of claims beside whole articles (training/scene_pairs.py)."""
_OF_LABEL = dict(zip(LABELS, ORDER, strict=True))


@dataclass(frozen=True, slots=True)
class KnownText:
    """A text beside its context; `allowed` gives the outcomes that each of its claims may have."""

    source: str
    document: str
    text: str
    context: str
    allowed: Callable[[Sequence[Claim]], list[frozenset[Outcome]]]


def main() -> None:
    """Read, fit, print and write."""
    args = _arguments()
    settings = load_settings()
    used = replace(settings, entailment=str(args.weights)) if args.weights else settings
    claims = list(known_claims(used, _sampled(texts(args.data, args.drafts, args.scenes), args.limit)))
    calibration = load()
    with wiring.opened_models(used) as models:
        assert models.entailment, "claims are read by an entailment model"
        named = [models.embedder.model, models.entailment.model.rpartition("-")[0]]
    outcomes = fit_outcomes(claims, named, args.refute)
    _print(claims, outcomes.outcome)
    args.out.write_text(dumps(calibration.refitted(outcomes)), encoding="utf-8")


def known_claims(settings: Settings, found: Iterable[KnownText]) -> Iterator[KnownClaim]:
    """The claims of texts, as checking extracts and reads them."""
    with wiring.opened_models(settings) as models:
        extractor = wiring.extractor(settings, models=models)
        assert models.entailment, "claims are read by an entailment model"
        for known in found:
            case = case_of(extractor, known.text, known.context)
            if case is None:
                continue
            [found_of] = readings([case], [Space(models.embedder)], models.entailment)
            for allowed, reading in zip(known.allowed(case.claims), found_of, strict=True):
                yield KnownClaim(reading.signals, allowed, known.source, f"{known.source} {known.document}")


def texts(data: Path, drafts: Sequence[Path], scenes: Sequence[Path]) -> Iterator[KnownText]:
    """All texts, by source."""
    for row in _lines(data / "contrast" / "contrast.jsonl"):
        yield KnownText("contrast", row["context"], row["text"], row["context"], _of_whole(Outcome(row["expected"])))
    for row in _lines(data / "drafts" / "drafts.jsonl"):
        errors = tuple((Span(one["start"], one["end"]), Outcome(one["outcome"])) for one in row["errors"])
        yield _of_draft("drafts", Draft(row["id"], "", row["context"], row["text"], errors))
    yield from (_of_draft("written", draft) for path in drafts for draft in read_drafts(path))
    judged = [pair for path in scenes for pair in read(path)]
    for pair in sorted(judged, key=lambda pair: pair.source == ARTICLES):
        source = "articles" if pair.source == ARTICLES else "scenes"
        yield KnownText(source, pair.document, pair.hypothesis, pair.premise, _of_whole(_OF_LABEL[pair.label]))


def _of_whole(expected: Outcome) -> Callable[[Sequence[Claim]], list[frozenset[Outcome]]]:
    """A text of one outcome: all it states is supported, or some statement has the outcome and the others may be.

    Several triples of one statement are one thing said.
    """

    def allowed(claims: Sequence[Claim]) -> list[frozenset[Outcome]]:
        single = len({claim.sentence for claim in claims}) == 1
        return [frozenset({expected} if single else {expected, Outcome.SUPPORTED})] * len(claims)

    return allowed


def _of_draft(source: str, draft: Draft) -> KnownText:
    def allowed(claims: Sequence[Claim]) -> list[frozenset[Outcome]]:
        return [frozenset({outcome}) for outcome in draft.outcomes(claims)]

    return KnownText(source, draft.document, draft.text, draft.context, allowed)


def _sampled(found: Iterable[KnownText], limit: int) -> Iterator[KnownText]:
    """At most `limit` texts of each source, at random; sources stand together."""
    for _, group in groupby(found, key=lambda known: known.source):
        some = list(group)
        yield from random.Random(0).sample(some, min(limit, len(some)))


def _print(claims: Sequence[KnownClaim], decide: Callable[[dict[Outcome, float]], Outcome]) -> None:
    """By source: claims, how many are decided, and how often an outcome is one that the claim may have."""
    found = [decide(dict(zip(ORDER, row, strict=True))) for row in held_out(claims).tolist()]
    by_source = defaultdict(list)
    for claim, outcome in zip(claims, found, strict=True):
        by_source[claim.source].append((outcome, outcome in claim.allowed))
    for source, some in by_source.items():
        shares = [f"{outcome.value} {_share([r for o, r in some if o is outcome])}" for outcome in ORDER]
        print(f"{source:10} right {_share([r for _, r in some])}; " + ", ".join(shares), flush=True)


def _share(right: Sequence[bool]) -> str:
    return f"{np.mean(right):.3f} of {len(right)}" if right else "none"


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    with path.open(encoding="utf-8") as file:
        yield from map(json.loads, file)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="folder with contrast/ and drafts/")
    parser.add_argument("--drafts", type=Path, nargs="+", required=True, help="files of training/drafts.py")
    parser.add_argument("--scenes", type=Path, nargs="+", required=True, help="held-out pairs of training.scene_pairs")
    parser.add_argument("--weights", type=Path, help="folder of another entailment model; unset: the settings' one")
    parser.add_argument("--refute", type=float, default=REFUTE, help="probability from which on a claim is refuted")
    parser.add_argument("--limit", type=int, default=500, help="texts of each source, a random choice")
    parser.add_argument("--out", type=Path, required=True, help="calibration file to write")
    return parser.parse_args()


if __name__ == "__main__":
    main()
