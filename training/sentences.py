"""Groups of pairs whose claims are sentences: each claim true in one context, and false or unsaid in another.

A group holds the claim and its edit, each with the context as it is and with the context edited alike, so that neither
the claim alone nor the context alone tells the label.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from random import Random

from training.claims import Claimed, claims, fits, inserted, plain, shortened
from training.contexts import Contexts, Premise, silent, words
from training.edits import Edit, edits
from training.pair import NOT_ENTAILMENT, Pair
from training.swaps import Lexicon, exchanged, name_swaps, turned
from training.texts import Text

SOURCES = {
    "name": "made-swap",
    "number": "made-swap",
    "date": "made-swap",
    "unit": "made-swap",
    "negation": "made-negation",
    "opposite": "made-negation",
    "quantity": "made-negation",
    "qualifier": "made-qualifier",
    "turned": "made-turned",
    "added": "made-added",
}
"""What a pair's source says, by the kind of the edit."""
LEAST = 15
"""Words of a context from which the support was taken."""

Group = list[Pair]


def groups(texts: Sequence[Text], known: Lexicon, random: Random) -> Iterator[Group]:
    """For each claim of each text those that can be made."""
    contexts = Contexts(texts, random)
    asides: defaultdict[bool, list[str]] = defaultdict(list)
    for text in texts:
        asides[text.person] += [aside for sentence in text.sentences for aside in inserted(sentence)]
    for text in texts:
        for claim in claims(text, random):
            for edit in chosen(claim, text, known, asides[text.person], random):
                yield from edited(claim, edit, text, contexts, random)
            yield from _deleted(claim, text, contexts, random)
        yield from _dropped(text, contexts, random)


def chosen(claim: Claimed, text: Text, known: Lexicon, asides: Sequence[str], random: Random) -> Iterator[Edit]:
    """One edit of each source; of all names, numbers and dates one."""
    near = " ".join(one for row, one in enumerate(text.sentences) if row not in claim.support)[:600]
    found = [
        *edits(claim.words, near, random),
        *name_swaps(claim.words, text, known, random),
        *turned(claim.words),
        *_added(claim.words, asides, random),
    ]
    by_source: dict[str, list[Edit]] = {}
    for edit in found:
        by_source.setdefault(SOURCES[edit.kind], []).append(edit)
    for some in by_source.values():
        kind = random.choice(sorted({edit.kind for edit in some}))
        yield random.choice([edit for edit in some if edit.kind == kind])


def _added(claim: str, asides: Sequence[str], random: Random) -> Iterator[Edit]:
    """Something said by the way in another text, said of this."""
    aside = random.choice(asides) if asides else ""
    last = claim.split()[-1]
    if aside and claim.endswith(".") and "," not in claim[-40:]:
        yield Edit(last, f"{last[:-1]}{aside}.", "added", "neutral", None)


def edited(claim: Claimed, edit: Edit, text: Text, contexts: Contexts, random: Random) -> Iterator[Group]:
    """The claim and its edit with the context, and with the context edited."""
    premise = contexts.holding(text, claim.support)
    wrong = edit.on(claim.words)
    if premise is None or wrong is None or (edit.kind != "added" and edit.new in claim.words):
        return
    source = SOURCES[edit.kind]
    group = [
        Pair(premise.text, claim.words, "entailment", source, text.id),
        Pair(premise.text, wrong, edit.label, source, text.id),
    ]
    if (other := _likewise(premise, claim, edit)) is not None:
        group.append(Pair(other, wrong, "entailment", source, text.id))
        if edit.back:
            group.append(Pair(other, claim.words, edit.back, source, text.id))
        elif random.random() < 0.5:
            group.pop(0)
    yield group


def _likewise(premise: Premise, claim: Claimed, edit: Edit) -> str | None:
    """The context with the edit made in it: names everywhere, other words in the sentences that support the claim."""
    if edit.kind == "name":
        said = exchanged(premise.text, edit.old, edit.new)
        return said if said != premise.text else None
    changed = {row: edit.on(premise.said[row]) for row in claim.support}
    made = {row: one for row, one in changed.items() if one is not None}
    if len(made) != 1:
        return None
    return Premise({**premise.said, **made}, premise.before, premise.after).text


def _deleted(claim: Claimed, text: Text, contexts: Contexts, random: Random) -> Iterator[Group]:
    """The claim with the context, and with the context without a sentence that supports it."""
    premise = contexts.holding(text, claim.support)
    if premise is None:
        return
    joined = len(claim.support) > 1
    source = "made-spread" if joined else "made-deleted"
    group = [Pair(premise.text, claim.words, "entailment", source, text.id)]
    row = random.choice(claim.support)
    rest = premise.without({row})
    if rest.said and words([rest.text]) >= LEAST and silent(plain(text, row), rest.text):
        yield [*group, Pair(rest.text, claim.words, NOT_ENTAILMENT if joined else "neutral", source, text.id)]


def _dropped(text: Text, contexts: Contexts, random: Random) -> Iterator[Group]:
    """A sentence with a context that says less than it, and less with a context that says it all."""
    for row in range(len(text.sentences)):
        said = plain(text, row)
        less = [short for short in shortened(said) if fits(short) and len(short.split()) <= len(said.split()) - 2]
        premise = contexts.holding(text, (row,)) if less and fits(said) else None
        if premise is None:
            continue
        short = random.choice(less)
        other = Premise({**premise.said, row: short}, premise.before, premise.after).text
        missing = " ".join(_missing(said, short))
        if silent(missing, other):
            yield [
                Pair(premise.text, short, "entailment", "made-dropped", text.id),
                Pair(other, said, "neutral", "made-dropped", text.id),
                Pair(premise.text, said, "entailment", "made-dropped", text.id),
            ]


def _missing(said: str, short: str) -> Iterable[str]:
    have = set(re.findall(r"\w+", short))
    return (word for word in re.findall(r"\w+", said) if word not in have)
