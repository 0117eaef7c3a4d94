"""Compare a claim with a list that names all there is: "consists of A, B and C", "the winners were A, B and C"."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from claimgraph.detect.compare.typed.sentence import Sentence, Word
from claimgraph.detect.compare.typed.word_relation import same
from claimgraph.kgstore.values.quantities import Quantity

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

_ALL = frozenset({"consist", "comprise", "only", "solely"})
_SOME = frozenset({"include", "including", "such", "example", "among"})
_OF_LISTS = frozenset({"consist", "compris", "contain", "includ"})
_LONGEST = 40
"""Most tokens of a sentence whose list is read."""
_ENDS = frozenset({"VB", "VBZ", "VBD", "VBP", "VBG", "VBN", "IN", "TO", "MD", ":"})


def compare(claim: Sentence, known: Sentence) -> tuple[str, str] | None:
    """Return the claim's item that an exhaustive list does not have, with the list; None where nothing is excluded.

    Everything else that the claim says must be in the sentence. A claim that lists as many things as the sentence does,
    and all but one of them the same, is taken for the same list.
    """
    theirs = items(known)
    if len(theirs) < 2 or len(known.doc) > _LONGEST or any(token.lemma_.lower() in _SOME for token in known.doc):
        return None
    listed = [word for item in theirs for word in item]
    missing = [word for word in claim.words if not word.light and not _in(word, known.words)]
    ours = items(claim)
    unlisted = [word for word in missing if not any(word in item for item in ours)]
    if not missing or any(word.verb or not word.role for word in unlisted) or claim.denied:
        return None
    shown = ", ".join(" ".join(word.text for word in item) for item in theirs)
    told = " ".join(word.text for word in missing)
    other = [item for item in ours if not _known(item, theirs)]
    same_list = len(ours) == len(theirs) and len(other) == 1 and (len(ours) > 2 or exhaustive(known))
    if same_list and not any(_in(word, listed) for word in other[0]) and all(word in other[0] for word in missing):
        return told, shown
    rest = [word for word in claim.words if not word.light and word not in missing]
    about = rest and not any(_in(word, listed) for word in rest)
    nominal = all(claim.doc[word.at].tag_.startswith("NN") for word in missing)
    verbs = [word for word in known.words if word.verb and not word.light and word.stem not in _OF_LISTS]
    about = about and all(_in(verb, rest) for verb in verbs)
    together = missing[-1].at - missing[0].at == len(missing) - 1
    return (told, shown) if exhaustive(known) and about and nominal and together else None


def _known(item: list[Word], items_known: list[list[Word]]) -> bool:
    return any(all(_in(word, other) for word in item) for other in items_known)


def _in(word: Word, words: list[Word]) -> bool:
    return any(same(word.stem, other.stem) for other in words)


def items(sentence: Sentence) -> list[list[Word]]:
    """Return the items of the longest list in the sentence, as their content words; [] where there is none."""
    doc, words = sentence.doc, {word.at: word for word in sentence.words}
    best: list[list[Word]] = []
    for joint in (token.i for token in doc if token.lower_ in ("and", "or")):
        found, at = [_after(doc, words, joint + 1)], joint
        while at >= 0 and (at == joint or doc[at].text == ","):
            item, at = _before(doc, words, at - 1 - (doc[at - 1].text == ","))
            found.append(item)
        if all(found) and len(found) > len(best):
            best = found[::-1]
    return best


def _after(doc: Doc, words: Mapping[int, Word], at: int) -> list[Word]:
    """Return the content words of the item that begins at a token."""
    end = next((i for i in range(at, len(doc)) if _ends(doc[i]) or doc[i].text in ".;"), len(doc))
    return [words[i] for i in range(at, end) if i in words]


def _before(doc: Doc, words: Mapping[int, Word], at: int) -> tuple[list[Word], int]:
    """Return the content words of the item that ends at a token, and the token before it."""
    start = next((i for i in range(at, -1, -1) if _ends(doc[i])), -1)
    return [words[i] for i in range(start + 1, at + 1) if i in words], start


def _ends(token: Token) -> bool:
    return token.text == "," or token.lower_ in ("and", "or") or token.tag_ in _ENDS


def exhaustive(sentence: Sentence) -> bool:
    """Return whether the sentence says that its list is all there is: by "consists of" or "only" before it, by a count
    that it fulfils, or as what "the winners" were.
    """
    doc, listed = sentence.doc, items(sentence)
    if not listed or len(doc) > _LONGEST:
        return False
    first = listed[0][0].at
    if any(token.lemma_.lower() in _ALL and token.i < first for token in doc) or doc[-3:].text.startswith(
        ("nothing else", "nowhere else")
    ):
        return True
    if any(
        isinstance(v.parsed, Quantity) and v.parsed.number == len(listed) and v.end <= first for v in sentence.values
    ):
        return True
    be = next((token for token in doc[:first] if token.lemma_ == "be" and token.dep_ == "ROOT"), None)
    subject = next((child for child in be.children if child.dep_ == "nsubj"), None) if be is not None else None
    near = be is not None and first - be.i < 3
    return near and subject is not None and subject.tag_ in ("NNS", "NNPS") and _definite(subject)


def _definite(noun: Token) -> bool:
    return any(child.lower_ == "the" or child.dep_ == "poss" for child in noun.children)
