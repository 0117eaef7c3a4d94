"""Pairs of drafts: `python -m training.draft_pairs --drafts FILE... --out FOLDER`.

Reads the drafts of training/drafts.py as checking reads a text: each statement beside the passage that is chosen for
it, and beside its nearest sentence where the model that ships finds that one tells of it. A statement whose passage
seems to say nothing of it (UNTOLD) stands beside the whole source instead: either what tells of it was not chosen, or
its wording is one that the model is to learn. Writes drafts.jsonl.gz and, of a tenth of the sources,
drafts-held.jsonl.gz.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from claimgraph import wiring
from claimgraph.detect.methods.fusion.reading import premises
from claimgraph.detect.models.embedder import Space
from claimgraph.kgstore.model import Outcome
from claimgraph.settings import load_settings
from training.cases import case_of
from training.drafts import Draft, read_drafts
from training.pair import Pair, fold, write

HELD = 10
"""One source in so many is held out."""
UNTOLD = 0.9
"""P(neutral) from which on a passage seems not to tell of a statement that its source bears out or contradicts."""
TOLD = 0.5
"""P(neutral) below which the nearest sentence tells of a statement."""
_LABELS = {
    Outcome.SUPPORTED: "entailment",
    Outcome.REFUTED: "contradiction",
    Outcome.NOT_ENOUGH_INFO: "neutral",
}


def main() -> None:
    """Write the pairs and print how many there are of each label."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--drafts", type=Path, nargs="+", required=True, help="files to read")
    parser.add_argument("--out", type=Path, required=True, help="folder for the pairs")
    args = parser.parse_args()
    made = list(dict.fromkeys(pairs(draft for path in args.drafts for draft in read_drafts(path))))
    args.out.mkdir(parents=True, exist_ok=True)
    for name, kept in (("drafts", False), ("drafts-held", True)):
        some = [pair for pair in made if (fold(pair.document, HELD) == 0) is kept]
        print(write(args.out / f"{name}.jsonl.gz", some), name, dict(Counter(pair.label for pair in some)))


def pairs(drafts: Iterable[Draft]) -> Iterator[Pair]:
    """Yield those of each draft, by the models of the settings."""
    settings = load_settings()
    with wiring.opened_models(settings) as models:
        extractor = wiring.extractor(settings, models=models)
        assert models.entailment, "what tells of a statement is found by an entailment model"
        for draft in drafts:
            case = case_of(extractor, draft.text, draft.context)
            if case is None:
                continue
            chosen, whole = premises(case, Space(models.embedder)), " ".join(draft.context.split())
            outcomes = dict(zip((claim.sentence for claim in case.claims), draft.outcomes(case.claims), strict=True))
            asked = [(premise, said) for said, both in chosen.items() for premise in both]
            scores = dict(zip(asked, models.entailment.entail(asked).tolist(), strict=True))
            for said, (passage, nearest) in chosen.items():
                label, told = _LABELS[outcomes[said]], outcomes[said] is not Outcome.NOT_ENOUGH_INFO
                chose = not told or scores[passage, said][1] < UNTOLD
                yield Pair(passage if chose else whole, said, label, "draft", draft.document)
                if not told or scores[nearest, said][1] < TOLD:
                    yield Pair(nearest, said, label, "draft", draft.document)


if __name__ == "__main__":
    main()
