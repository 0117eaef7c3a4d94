"""Pairs of the closed development sets: `python -m training.documents --data FOLDER --out FOLDER --replay F...`.

Outputs are judged as wholes, an entailment model reads one sentence and one window. A consistent output makes every
sentence follow from its context; of an inconsistent one a single sentence is to blame, and it is told only where the
output has one sentence, or where it is an edit of a consistent one (SummEdits). Other inconsistent outputs are paired
as wholes with contexts that fit into one window. The windows are those that share the rarest words with the sentence,
one narrow and one wide; a sentence whose words are mostly not in the narrow one is left to the wide.

Writes for each of FOLDS folds of contexts and each of DOSES documents-<fold>-<dose>.jsonl.gz, without that fold:
weights trained on a fold's files are measured on the contexts they have not seen, and their mean (training.average) has
seen all. Each file holds some pairs of the stages before too, the replay, lest those are forgotten.
"""

from __future__ import annotations

import argparse
import math
import random
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate
from pathlib import Path

from claimgraph.detect.text.windows import WORDS
from claimgraph.detect.text.windows import windows as over
from claimgraph.kgstore.model import Passage, Span
from training.pair import NOT_ENTAILMENT, Pair, fold, read, rows, write
from training.texts import sentences

FOLDS = 2
SETS = ("summedits", "wice", "halueval_qa", "qags_xsum", "summeval", "xsum_faith")
NARROW, WIDE = WORDS, 200
"""Words of a window."""
WHOLE = 45
"""Words of an output that is a hypothesis as a whole."""
COVERED = 0.6
"""Share of a sentence's weighted words that its narrow window must have to be called support."""
ENTAILED = 600
"""Entailed pairs of a set are as many as its others at most, or this many: consistent summaries mostly copy."""
DOSES = ((1, 0.5), (3, 1.0))
"""Times that each pair of documents stands in a file, and pairs replayed for each of these."""
_WORD = re.compile(r"\w+")

Row = Mapping[str, str]


def main() -> None:
    """Write the files."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="folder with closed/ and nli/")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--replay", type=Path, nargs="+", required=True, help="pairs of the stages before")
    args = parser.parse_args()
    chance = random.Random(0)
    pairs = [pair for name in SETS for pair in _balanced(dict.fromkeys(_of(name, args.data)), chance)]
    before = [pair for path in args.replay for pair in read(path)]
    chance.shuffle(before)
    print(Counter((pair.source, pair.label) for pair in pairs))
    for part in range(FOLDS):
        kept = [pair for pair in pairs if fold(pair.document, FOLDS) != part]
        for dose, (times, replayed) in enumerate(DOSES):
            some = before[part::FOLDS][: int(replayed * times * len(kept))]
            print(part, dose, write(args.out / f"documents-{part}-{dose}.jsonl.gz", [*kept * times, *some]))


def said(text: str) -> list[str]:
    """The sentences of a text of several lines; none goes over a line's end."""
    return [sentence for line in text.splitlines() for sentence in sentences(line)]


def windows(context: str, words: int) -> list[str]:
    """Runs of whole sentences of at most that many words, each beginning with the last sentence of the one before."""
    found = [" ".join(sentence.split()) for sentence in said(context)]
    starts = accumulate((len(sentence) + 1 for sentence in found), initial=0)
    passages = [
        Passage(sentence, "context", "context", Span(start, start + len(sentence)))
        for start, sentence in zip(starts, found, strict=False)
    ]
    return [window.text.rstrip() for window in over(passages, words=words)]


def _of(name: str, data: Path) -> Iterator[Pair]:
    found = list(rows(data / "closed" / f"{name}.jsonl.gz"))
    by_context = defaultdict(list)
    for row in found:
        by_context[row["context"]].append(row)
    for context, some in by_context.items():
        for premise, hypothesis, entailed in _context(context, some):
            yield Pair(premise, hypothesis, "entailment" if entailed else NOT_ENTAILMENT, name, context)
    if name == "wice":
        for row in rows(data / "nli" / "nli_train.jsonl.gz"):
            if row["source"] == name and row["premise"] not in by_context:
                yield Pair(row["premise"], row["hypothesis"], row["label"], name, row["premise"])


def _balanced(pairs: Iterable[Pair], chance: random.Random) -> list[Pair]:
    entailed = [pair for pair in pairs if pair.label == "entailment"]
    others = [pair for pair in pairs if pair.label != "entailment"]
    return chance.sample(entailed, min(len(entailed), max(len(others), ENTAILED))) + others


def _context(context: str, some: Sequence[Row]) -> Iterator[tuple[str, str, bool]]:
    """Premise, hypothesis, and whether it follows, of all outputs of one context."""
    narrow, wide = _Nearest(windows(context, NARROW)), _Nearest(windows(context, WIDE))
    consistent = {s for row in some if not int(row["label"]) for s in _hypotheses(row)}
    blamed = {s for row in some if int(row["label"]) for s in _blamed(row, consistent)}
    for sentence in sorted(consistent - blamed):
        near, share = narrow.to(sentence)
        if share >= COVERED or len(wide.windows) == len(narrow.windows):
            yield near, sentence, True
        yield wide.to(sentence)[0], sentence, True
    for sentence in sorted(blamed - consistent):
        yield narrow.to(sentence)[0], sentence, False
        yield wide.to(sentence)[0], sentence, False
    if len(wide.windows) == 1:
        for row in some:
            if "question" not in row and len(row["output"].split()) <= WHOLE:
                yield wide.windows[0], row["output"], not int(row["label"])


def _hypotheses(row: Row) -> list[str]:
    """What of an output is judged: sentences; an answer with its question, and alone where it says something."""
    if "question" not in row:
        return said(row["output"])
    asked = f"{row['question'].strip()} {row['output'].strip()}"
    return [asked, row["output"].strip()] if len(row["output"].split()) > 3 else [asked]


def _blamed(row: Row, consistent: Iterable[str]) -> list[str]:
    """The sentences of an inconsistent output that are known not to follow."""
    found = _hypotheses(row)
    new = [sentence for sentence in found if sentence not in consistent]
    if "question" in row or len(found) == 1:
        return new
    return new if row["source"].startswith("summedits") and len(new) == 1 else []


class _Nearest:
    """The window that shares most with a sentence, words weighed by how few windows have them; ties to the first."""

    def __init__(self, found: Sequence[str]) -> None:
        self.windows = list(found)
        self._words = [set(_WORD.findall(window.lower())) for window in found]
        seen = Counter(word for words in self._words for word in words)
        self._weight = {word: math.log(1 + len(found) / count) for word, count in seen.items()}
        self._unknown = math.log(2 + len(found))

    def to(self, sentence: str) -> tuple[str, float]:
        """And the share of the sentence's weight that it has, 0 to 1."""
        words = set(_WORD.findall(sentence.lower()))
        shared = [sum(self._weight[word] for word in words & have) for have in self._words]
        best = max(range(len(shared)), key=shared.__getitem__)
        return self.windows[best], shared[best] / (sum(self._weight.get(word, self._unknown) for word in words) or 1.0)


if __name__ == "__main__":
    main()
