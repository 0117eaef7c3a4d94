"""The weights that decide claims: `python -m training.outcomes --data FOLDER --pairs FILE --out CALIBRATION`.

Reads texts whose claims' outcomes are known or half known, as checking reads them, with the shipped entailment model
or another: minimal pairs and drafts with planted errors, pairs that people judged (held out from training), and
outputs of the closed sets, of which only the consistent ones and those of one claim say what each claim is. Prints how
often each outcome is right on documents that the weights have not seen, then writes the calibration with them.
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
from claimgraph.detect.check_input import Case
from claimgraph.detect.methods.fusion.calibration import dumps, load
from claimgraph.detect.methods.fusion.reading import readings
from claimgraph.detect.models.embedder import Space
from claimgraph.evaluation.fit.outcomes import ORDER, KnownClaim, fit_outcomes, held_out
from claimgraph.evidence.evidence_set import of_context
from claimgraph.input_texts import document_from_text
from claimgraph.kgstore.model import Outcome, Span
from claimgraph.settings import Settings, load_settings
from training.pair import rows

CLOSED = ("summedits", "wice", "halueval_qa", "qags_xsum", "summeval", "xsum_faith")
TRICKS = {
    "med",
    "help_and",
    "scone",
    "semantic_fragments",
    "tabfact_small",
    "drop_nli",
    "mnli_binary",
    "entailmentbank",
}
"""Sources of pairs that are no texts beside a source."""
LONGEST = 8000
"""Characters of a context."""
_OF_LABEL = {
    "entailment": frozenset({Outcome.SUPPORTED}),
    "neutral": frozenset({Outcome.NOT_ENOUGH_INFO}),
    "contradiction": frozenset({Outcome.REFUTED}),
    "not_entailment": frozenset({Outcome.NOT_ENOUGH_INFO, Outcome.REFUTED}),
}
_SUPPORTED = _OF_LABEL["entailment"]


@dataclass(frozen=True, slots=True)
class KnownText:
    """A text beside its context; `allowed` gives the outcomes that one of its claims may have, None for unknown, by
    the claim's span and the number of claims."""

    source: str
    document: str
    text: str
    context: str
    allowed: Callable[[Span, int], frozenset[Outcome] | None]


def main() -> None:
    """Read, fit, print and write."""
    args = _arguments()
    settings = load_settings()
    used = replace(settings, entailment=str(args.weights)) if args.weights else settings
    claims = list(known_claims(used, _sampled(texts(args.data, args.pairs), args.limit)))
    calibration = load()
    with wiring.opened_models(used) as models:
        assert models.entailment, "claims are read by an entailment model"
        named = [models.embedder.model, models.entailment.model]
    outcomes = fit_outcomes(claims, named)
    _print(claims, outcomes.outcome)
    args.out.write_text(dumps(replace(calibration, outcomes=outcomes)), encoding="utf-8")


def known_claims(settings: Settings, found: Iterable[KnownText]) -> Iterator[KnownClaim]:
    """The claims of texts, as checking extracts and reads them, whose outcome is known or half known."""
    with wiring.opened_models(settings) as models:
        extractor = wiring.extractor(settings, models=models)
        assert models.entailment, "claims are read by an entailment model"
        for known in found:
            document, context = (document_from_text(part, 1, "the text") for part in (known.text, known.context))
            extraction, read = extractor.extract([document, context])
            evidence = of_context(read, extractor.name)
            if not extraction.claims or not evidence.passages:
                continue
            case = Case(extraction.claims, evidence.facts, evidence.passages, True, known.text, extraction.sentences)
            [found_of] = readings([case], [Space(models.embedder)], models.entailment)
            for claim, reading in zip(extraction.claims, found_of, strict=True):
                allowed = known.allowed(claim.span, len(extraction.claims))
                if allowed:
                    yield KnownClaim(reading.signals, allowed, known.source, f"{known.source} {known.document}")


def texts(data: Path, pairs: Path) -> Iterator[KnownText]:
    """All texts, by source."""
    for row in _lines(data / "contrast" / "contrast.jsonl"):
        yield KnownText("contrast", row["context"], row["text"], row["context"], _of_whole(Outcome(row["expected"])))
    for row in _lines(data / "drafts" / "drafts.jsonl"):
        yield KnownText("drafts", row["id"], row["text"], row["context"], _of_errors(row["errors"]))
    for one in rows(pairs):
        if one["source"] not in TRICKS and len(one["premise"]) <= LONGEST:
            yield KnownText("judged", one["document"], one["hypothesis"], one["premise"], _of_pair(one["label"]))
    for name in CLOSED:
        for row in rows(data / "closed" / f"{name}.jsonl.gz"):
            if len(row["context"]) <= LONGEST:
                yield KnownText(name, row["context"], row["output"], row["context"], _of_output(int(row["label"])))


def _of_whole(expected: Outcome) -> Callable[[Span, int], frozenset[Outcome]]:
    """A text of one outcome: all its claims are supported, or some claim has the outcome and the others may be."""

    def allowed(_: Span, claims: int) -> frozenset[Outcome]:
        return frozenset({expected}) if claims == 1 else frozenset({expected, Outcome.SUPPORTED})

    return allowed


def _of_errors(errors: Sequence[dict[str, Any]]) -> Callable[[Span, int], frozenset[Outcome]]:
    """A claim that overlaps a planted error has the error's outcome, REFUTED before NOT_ENOUGH_INFO."""

    def allowed(span: Span, _: int) -> frozenset[Outcome]:
        over = [one for one in errors if one["start"] < span.end and span.start < one["end"]]
        outcomes = {Outcome(one["outcome"]) for one in over}
        return frozenset({Outcome.REFUTED}) if Outcome.REFUTED in outcomes else frozenset(outcomes) or _SUPPORTED

    return allowed


def _of_pair(label: str) -> Callable[[Span, int], frozenset[Outcome] | None]:
    def allowed(_: Span, claims: int) -> frozenset[Outcome] | None:
        return _OF_LABEL[label] if claims == 1 or label == "entailment" else None

    return allowed


def _of_output(label: int) -> Callable[[Span, int], frozenset[Outcome] | None]:
    return _of_pair("not_entailment" if label else "entailment")


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
    parser.add_argument("--data", type=Path, required=True, help="folder with contrast/, drafts/ and closed/")
    parser.add_argument("--pairs", type=Path, required=True, help="held-out pairs that training.nli wrote")
    parser.add_argument("--weights", type=Path, help="folder of another entailment model; unset: the settings' one")
    parser.add_argument("--limit", type=int, default=400, help="texts of each source, a random choice")
    parser.add_argument("--out", type=Path, required=True, help="calibration file to write")
    return parser.parse_args()


if __name__ == "__main__":
    main()
