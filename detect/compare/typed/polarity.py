"""Compare what two sentences deny, and the degrees of what they compare."""

from __future__ import annotations

from claimgraph.detect.compare.typed.propositions import Proposition
from claimgraph.detect.compare.typed.sentence import Sentence, Word
from claimgraph.detect.compare.typed.word_relation import opposed, same


def denied(
    claim: Sentence, known: Sentence, words: list[Word], best: Proposition, ours: set[int], theirs: set[int]
) -> bool:
    """Return whether exactly one of both denies, of the words that they share."""
    stems = [word.stem for word in words]
    start = best.start if any(chunk.kind == "V" for chunk in best.chunks) else 0
    there = {
        _shared(target, stems)
        for at, target in known.denied
        if at not in theirs and start <= at < best.end and _shared(target, stems)
    }
    here = {_shared(target, stems) for at, target in claim.denied if at not in ours}
    return len(there ^ here) % 2 == 1


def _shared(target: str, stems: list[str]) -> str:
    return next((stem for stem in stems if same(target, stem) or opposed(target, stem)), "")


def degrees_fit(words: list[Word], known: Sentence, best: Proposition) -> bool | None:
    """Return whether the claim compares; None where its degree is not that of the sentence."""
    graded = [word for word in words if word.degree]
    for word in graded:
        others = [o for o in known.words if o.degree and (same(o.stem, word.stem) or opposed(o.stem, word.stem))]
        if not others or not any({o.degree, word.degree} in _COMPARABLE or o.degree == word.degree for o in others):
            return None
    unsaid = any(o.degree and best.start <= o.at < best.end for o in known.words) and not graded
    return None if unsaid and not _plain(words, known) else bool(graded)


_COMPARABLE = ({"comparative", "equal"},)


def _plain(words: list[Word], known: Sentence) -> bool:
    """Return whether none of the words that the claim has is compared in the sentence."""
    return not any(o.degree and any(same(o.stem, w.stem) for w in words) for o in known.words)
