"""The forms of sentences that known phrases read: where subject, phrase and object stand in the words.

Verbs: a name, then again and again a phrase and a name ("X, who was born in Y, plays the Z"). Nouns: "X's genre is Y",
"The founder of X is Y", "Y is the place where X died". Each is a regular expression or a walk from phrase to phrase;
a grammar was rejected, since what is not of these few forms belongs to the parser.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from claimgraph.detect.compare import relation_phrases
from claimgraph.detect.text.words import tokens
from claimgraph.kgstore.model import Span

_BE = r"(?:is|are|was|were)"
_IN = rf"(?P<v>{_BE}(?: (?:located )?(?:in|at))?)"
_NOUN = r"(?P<n>[a-z][\w ]{0,60}?)"
_NOUN_FORMS = tuple(
    re.compile(form)
    for form in (
        rf"(?P<s>.{{1,120}}?)['’]s? {_NOUN} {_IN} (?P<o>.+)",
        rf"(?P<s>His|Her|Its|Their) {_NOUN} {_IN} (?P<o>.+)",
        rf"One of (?P<s>his|her|its|their) {_NOUN} {_BE} (?P<o>.+)",
        rf"One of (?P<s>.{{1,120}}?)['’]s? {_NOUN} {_BE} (?P<o>.+)",
        rf"The {_NOUN} (?P<s>his|her|its|their) (?P<m>[a-z]+) {_BE} (?P<o>.+)",
        rf"The (?P<n>[a-z][\w ]{{0,60}}? of) (?P<s>.{{1,120}}?)['’]s? (?P<m>[a-z]+) {_BE} (?P<o>.+)",
        rf"(?:The|Among the) {_NOUN} of (?P<s>.{{1,120}}?) {_IN} (?P<o>.+)",
        rf"The [a-z]+ (?:that|which|in which|where) (?P<s>.{{1,120}}?) (?P<n>[a-z]+(?: in| at| for)?) {_BE} (?P<o>.+)",
        rf"(?P<o>.{{1,120}}?) {_BE} the \w+ (?P<place>where|in which) (?P<s>.{{1,120}}?) (?P<n>(?:{_BE} )?[a-z]+)",
        rf"There {_BE} {_NOUN} between (?P<s>.{{1,120}}?) and (?P<o>.+)",
        r"(?P<s>.{1,120}?) and (?P<o>.{1,120}) (?P<n>(?:have|has|had|maintain|share) [a-z][a-z ]{0,60})",
    )
)
_LINK = re.compile(r"(?:\s{0,5},)?\s{1,5}(?:who|which|that|and|and also|but)\s{1,5}$|\s{0,5},\s{1,5}$")
"""What may stand between a name and a further phrase."""
_BARE = frozenset({"is", "was", "are", "were", "has", "have", "had"})
_HAVE = re.compile(r"ha(?:ve|s|d)\b")
_LONGEST = 10
"""Words of a phrase at most."""


@dataclass(frozen=True, slots=True)
class SentenceForm:
    """Spans of subject, phrase and object in a sentence, and the predicate in words; `turned` says that the phrase
    stands between a relation's object and its subject."""

    subject: Span
    predicate: str
    phrase: Span
    object: Span
    turned: bool


def by_nouns(sentence: str) -> Iterator[SentenceForm]:
    """What the sentence may say with a noun for the relation, form by form; it ends without a stop."""
    for form in _NOUN_FORMS:
        found = form.fullmatch(sentence)
        if found and (words := _known_noun(found)):
            verbal = any(relation_phrases.says_as_verb(words)) or _HAVE.match(words)
            predicate = words if verbal else f"has {words}"
            yield SentenceForm(Span(*found.span("s")), predicate, Span(*found.span("n")), Span(*found.span("o")), False)


def _known_noun(found: re.Match[str]) -> str | None:
    groups = found.groupdict()
    noun = " ".join(filter(None, (groups["n"], groups.get("m"), "in" if groups.get("place") else None)))
    where = " ".join((groups.get("v") or "").split()[1:])
    ways = (noun, f"{noun} {where}", noun.removesuffix(" of"))
    return next((words for words in ways if relation_phrases.says(words)[0]), None)


def by_verbs(sentence: str) -> list[SentenceForm] | None:
    """What the sentence says phrase by phrase with one subject; None where a phrase is not complete, [] without any."""
    words = list(tokens(sentence))
    places = list(_phrases(sentence, words))
    starts = [words[begin].start() for begin, _ in places]
    stops = [len(_LINK.sub("", sentence[:start]).rstrip()) for start in starts] + [len(sentence)]
    said: list[SentenceForm] = []
    for (begin, end), stop in zip(places, stops[1:], strict=True):
        after = words[end].start() if end < len(words) else stop
        one = _complete(
            sentence, stops[0], Span(words[begin].start(), words[end - 1].end()), Span(min(after, stop), stop)
        )
        if one is None:
            return None
        said.append(one)
    return said


def _complete(sentence: str, subject: int, phrase: Span, object: Span) -> SentenceForm | None:
    """A phrase with what belongs to it behind the object: "has French | as an official language"."""
    predicate = sentence[phrase.start : phrase.end]
    for word in tokens(sentence[object.start : object.end]):
        tail = sentence[object.start + word.start() : object.end]
        if word.start() and " " in tail and any(relation_phrases.says_as_verb(f"{predicate} {tail}")):
            predicate = f"{predicate} {tail}"
            object = Span(object.start, len(sentence[: object.start + word.start()].rstrip()))
            break
    straight, turned = relation_phrases.says_as_verb(predicate)
    bare = not relation_phrases.key(predicate) and not _HAVE.match(predicate)
    known = (straight or turned or bare) and object.start < object.end
    return SentenceForm(Span(0, subject), predicate, phrase, object, turned and not straight) if known else None


def _phrases(sentence: str, words: Sequence[re.Match[str]]) -> Iterator[tuple[int, int]]:
    """Numbers of the words of each phrase, first and after the last: the first after a name, others after a link."""
    at, started = 1, False
    while at < len(words):
        linked = not started or _LINK.search(sentence[: words[at].start()])
        end = _longest(words, at) if linked and words[at][0][0].islower() else None
        if end:
            yield at, end
            started, at = True, end
        at += 1


def _longest(words: Sequence[re.Match[str]], start: int) -> int | None:
    """The end of the longest phrase from a word on, an article at its end left off; None where there is none."""
    for end in range(min(len(words) - 1, start + _LONGEST), start, -1):
        said = words[start].string[words[start].start() : words[end - 1].end()]
        whole = relation_phrases.key(words[end - 1][0]) and any(relation_phrases.says_as_verb(said))
        if "," not in said and (whole or (relation_phrases.key(said) and relation_phrases.opens(said))):
            return end
    return start + 1 if words[start][0] in _BARE else None
