"""Small changes of a sentence that make it say something else: negations, opposites, quantities, qualifiers, values.

An edit is a change of words, so that the same can be done to a context: then the changed sentence follows from the
changed context, and nothing can be read off the sentence alone. Grammar comes from patterns; a parser was not needed
for what they cover, and what they do not cover is left alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random

from claimgraph.evaluation.made.swaps import Change, date_swaps, number_swaps
from training.pair import NOT_ENTAILMENT

CONTRADICTION = "contradiction"


@dataclass(frozen=True, slots=True)
class Edit:
    """`old` words become `new`. `label`: what the unchanged text says of the changed; `back`: what the changed says of
    the unchanged, None where that is not known."""

    old: str
    new: str
    kind: str
    label: str
    back: str | None

    def on(self, text: str) -> str | None:
        """The text with the change made, None where the words stand in it not at all, or more than once."""
        if self.old not in text:
            return None
        found = list(re.finditer(rf"(?<!\w){re.escape(self.old)}(?!\w)", text))
        if len(found) != 1:
            return None
        return text[: found[0].start()] + self.new + text[found[0].end() :]


def edits(sentence: str, near: str, random: Random) -> list[Edit]:
    """All that are known for a sentence; `near` is text about the same, whose dates and numbers are taken first."""
    return [*values(sentence, near, random), *_denied(sentence), *_listed(sentence), *_units(sentence, random)]


def values(sentence: str, near: str, random: Random) -> Iterator[Edit]:
    """Numbers and dates for others that do not stand in the sentence."""
    makers: tuple[tuple[str, Callable[[str, Random], Iterator[Change]]], ...] = (
        ("date", date_swaps),
        ("number", number_swaps),
    )
    for kind, make in makers:
        for change in make(f"{sentence} {near}", random):
            old = sentence[change.span.start : change.span.end]
            if change.span.end <= len(sentence) and _other(old, change.words, sentence):
                yield Edit(old, change.words, kind, CONTRADICTION, CONTRADICTION)


def _other(old: str, new: str, sentence: str) -> bool:
    """Whether the new value does not stand in the sentence already, and is written alike: no "Two" of a name."""
    return new.lower() not in sentence.lower() and old[0].isupper() == new[0].isupper()


_OPEN = re.compile(
    r"\b(?:some|many|most|several|often|sometimes|usually|may|might|could|if|whether|unless|until|yet|any|only|either"
    r"|few|mainly|largely|certain|other|not|never|no|nor|neither|n't|without|nothing|none)\b",
    re.IGNORECASE,
)
"""Words beside which a negation may leave both true, or say it twice."""
_COPULA = re.compile(r"\b(is|are|was|were|can|will)(?= (?!not\b|n't|to\b|only\b)\w)")
_PERFECT = re.compile(r"\b(has|have|had)(?= (?:been|become|won|sold|made|\w{3,}ed)\b)")
_PAST: dict[str, str] = dict(
    re.findall(
        r"(\w+) (\w+)",
        "won win|lost lose|wrote write|became become|began begin|left leave|led lead|took take|made make|"
        "met meet|gave give|held hold|built build|sold sell|bought buy|grew grow|fell fall|ran run|"
        "taught teach|fought fight|went go|came come|spent spend|found find|rose rise|sang sing|spoke speak|"
        "died die|received receive|played play|directed direct|starred star|moved move|released release|"
        "produced produce|studied study|served serve|joined join|founded found|married marry|appeared appear|"
        "worked work|published publish|developed develop|created create|composed compose|recorded record|"
        "earned earn|attended attend|graduated graduate|signed sign|helped help|returned return|"
        "retired retire|included include|formed form|performed perform|reached reach|established establish|"
        "introduced introduce|discovered discover|invented invent|painted paint|defeated defeat|"
        "finished finish|started start|opened open|closed close|lived live|visited visit|announced announce|"
        "said say",
    )
)
_PRESENT = {
    "plays": "play",
    "contains": "contain",
    "includes": "include",
    "lives": "live",
    "has": "have",
    "works": "work",
}
_SUBJECT = r"\b(?:[Hh]e|[Ss]he|[Tt]hey|[Ww]e|[Ii]t|[A-Z][\w'’-]+)"
_DID = re.compile(rf"({_SUBJECT}(?: also| later| then)?) ({'|'.join([*_PAST, *_PRESENT])})\b(?! by\b)")
_DENIAL = re.compile(
    r"\b(is|are|was|were|has|have|had|can|will|would|could) (?:not|never) (?!only|just|merely|all\b)(\w+)"
)
_DID_NOT = re.compile(rf"\b(?:did not|didn't) ({'|'.join(_PAST.values())})\b")


def _denied(sentence: str) -> Iterator[Edit]:
    """Negations put in, and where there is one, taken out."""
    if len(re.findall(r"\b(?:not|never|n't)\b", sentence)) == 1 and not re.search(
        r"\b(?:any|until|but|yet)\b", sentence
    ):
        for found in _DENIAL.finditer(sentence):
            yield _negation(found[0], f"{found[1]} {found[2]}")
        for found in _DID_NOT.finditer(sentence):
            past = next(past for past, base in _PAST.items() if base == found[1])
            yield _negation(found[0], past)
    if not _OPEN.search(sentence):
        yield from _put_in(sentence)


def _put_in(sentence: str) -> Iterator[Edit]:
    for pattern in (_COPULA, _PERFECT):
        for found in pattern.finditer(sentence):
            after = sentence[found.end() :].split()[0]
            yield _negation(f"{found[0]} {after}".rstrip(",.;"), f"{found[0]} not {after}".rstrip(",.;"))
    for found in _DID.finditer(sentence):
        base, auxiliary = (_PAST[found[2]], "did") if found[2] in _PAST else (_PRESENT[found[2]], "does")
        yield _negation(found[0], f"{found[1]} {auxiliary} not {base}")
        if found[2] in _PAST:
            yield _negation(found[0], f"{found[1]} never {found[2]}")


def _negation(old: str, new: str) -> Edit:
    return Edit(old, new, "negation", CONTRADICTION, CONTRADICTION)


_OPPOSITES = """
increased decreased|increase decrease|rose fell|rising falling|won lost|winning losing|more less|higher lower
highest lowest|largest smallest|larger smaller|longest shortest|oldest youngest|older younger|most least|best worst
first last|earlier later|before after|early late|northern southern|eastern western|north south|east west
northeast southwest|northwest southeast|northeastern southwestern|northwestern southeastern|above below|upper lower
inside outside|public private|male female|men women|father mother|son daughter|brother sister|husband wife|boys girls
sons daughters|brothers sisters|king queen|uncle aunt|rich poor|positive negative|successful unsuccessful
success failure|supported opposed|accepted rejected|opened closed|arrived left|entered left|began ended|joined left
bought sold|remembered forgotten|popular unpopular|known unknown|major minor|strong weak|stronger weaker
victory defeat|victories defeats|legal illegal|urban rural|modern ancient|elder younger|maternal paternal|alive dead
majority minority|independent dependent|active inactive|common rare|rarely often|always never|easy difficult
married unmarried|left-wing right-wing|conservative liberal|professional amateur|fiction non-fiction|summer winter
spring autumn|morning evening|day night|import export|imports exports|teacher pupil|domestic foreign
supporter opponent|ally enemy|allies enemies|critical supportive|praised criticised|acclaimed panned|commercial artistic
original fake|true false|safe dangerous|hot cold|wet dry|long short|high low|large small|big small|old new|good bad
born buried|including excluding|with without|for against|agreed refused|agrees refuses|likes dislikes|loves hates
can cannot|every no|both neither|founded dissolved|elected rejected|appointed dismissed|approved rejected
advanced retreated|expanded shrank|acquitted convicted|democratic authoritarian|nearest farthest|closest farthest
tallest shortest|heavier lighter|faster slower|fastest slowest|cheaper dearer|cheap expensive|full empty
"""
_SURE = re.compile(r"\s*(\S+) (\S+)(?:\||\n)")
_WEAKER = """
may be ~ is|may have ~ has|might be ~ is|could be ~ is|is believed to be ~ is|was believed to be ~ was
is believed to have been ~ was|is thought to be ~ is|is thought to have been ~ was|is said to have been ~ was
is considered to be ~ is|is considered ~ is|was considered ~ was|are considered ~ are|is regarded as ~ is
is often regarded as ~ is|is widely regarded as ~ is|is widely considered ~ is|is often considered ~ is
is often described as ~ is|was nominated for ~ won|were nominated for ~ won|was shortlisted for ~ won
one of the first ~ the first|is one of the largest ~ is the largest|is one of the most ~ is the most
was one of the most ~ was the most|one of the most ~ the most|one of the best ~ the best
one of the largest ~ the largest
one of the greatest ~ the greatest
one of the ~ the only one of the|some of the ~ all of the|most of the ~ all of the
most of his ~ all of his|most of her ~ all of her|many of his ~ all of his|many of the ~ all of the|some ~ all
several ~ all|many ~ all|often ~ always|usually ~ always|sometimes ~ always|frequently ~ always
generally ~ always|typically ~ always|mainly ~ exclusively|primarily ~ exclusively|mostly ~ entirely|largely ~ entirely
partly ~ entirely|partially ~ entirely|almost ~ exactly|nearly ~ exactly|approximately ~ exactly|about half ~ all
attempted to ~ was able to|tried to ~ managed to|sought to ~ managed to|planned to ~ managed to|hoped to ~ managed to
was accused of ~ was convicted of|were accused of ~ were convicted of|was charged with ~ was convicted of
was suspected of ~ was convicted of|alleged ~ proven|allegedly ~ demonstrably|reportedly ~ demonstrably
possibly ~ certainly|probably ~ certainly|perhaps ~ certainly|likely ~ certain|possible ~ certain
suggested that ~ proved that|argued that ~ proved that|claimed that ~ proved that|believed that ~ knew that
is expected to ~ is certain to|would like to ~ will|plans to ~ has decided to|wants to ~ has begun to
could ~ will|might ~ will|may ~ will|co-founder ~ sole founder|co-author ~ sole author
"""
_TURNED = """
more than ~ less than|less than ~ more than|fewer than ~ more than|at least ~ less than|at most ~ more than
up to ~ more than|over ~ under|many ~ few|few ~ many|majority of ~ minority of|all of the ~ none of the
most of the ~ few of the|the only ~ one of several|only ~ not only|exactly ~ more than|none of the ~ all of the
succeeded by ~ preceded by|preceded by ~ succeeded by|north of ~ south of|south of ~ north of|east of ~ west of
west of ~ east of|son of ~ father of|daughter of ~ mother of|father of ~ son of|mother of ~ daughter of
"""
_NUMERAL = re.compile(r"(?= (?:[\d$£€]|two|three|four|five|six|ten|twenty|half|one (?:hundred|million)))")


def _listed(sentence: str) -> Iterator[Edit]:
    """Opposites, qualifiers dropped, quantities turned round. Words in capitals are parts of names and stay."""
    for a, b in _SURE.findall(_OPPOSITES):
        for old, new in ((a, b), (b, a)):
            if _stands(old, sentence) and not _stands(new, sentence) and not _fixed(old, sentence):
                yield Edit(old, new, "opposite", CONTRADICTION, CONTRADICTION)
    for old, new in _rows(_WEAKER):
        if _stands(old, sentence) and not _OPEN_AFTER.search(sentence):
            yield Edit(old, new, "qualifier", NOT_ENTAILMENT, None)
    for old, new in _rows(_TURNED):
        if _stands(old, sentence) and (
            old not in ("over", "up to") or re.search(rf"\b{old}{_NUMERAL.pattern}", sentence)
        ):
            yield Edit(old, new, "quantity", CONTRADICTION, CONTRADICTION)


_OPEN_AFTER = re.compile(r"\b(?:not|never|no|n't|neither)\b")
_ONE_SIDED = {
    "with": r"with (?!the exception|out\b)",
    "for": r"\b(?:voted|argued|spoke|campaigned|fought) for\b",
    "long": r"\bis long\b",
    "known": r"\bare known\b",
    "more": r"\bmore (?:popular|important|successful|common|\w+ than)\b",
    "less": r"\bless (?:popular|important|successful|common|\w+ than)\b",
    "day": r"\bduring the day\b",
    "can": r"\bcan (?!not)\w",
    "no": r"\b[Nn]o (?:other|one)\b",
    "first": r"\bthe first\b",
    "last": r"\bthe last\b",
    "most": r"\bthe most (?!of)\w",
    "least": r"\bthe least\b",
    "born": r"\bborn in\b",
    "left": r"\b(?:he|she|they|it) left\b",
    "both": r"\bboth of\b",
    "commercial": r"\bcommercial success\b",
    "high": r"\b(?:is|was|were|are|a|very) high\b(?! school)",
    "low": r"\b(?:is|was|were|are|a|very) low\b",
    "old": r"\ban? old\b",
    "new": r"\ba new\b",
    "king": r"\bking of\b",
    "early": r"\b(?:the|in) early\b",
    "late": r"\b(?:the|in) late\b",
    "minor": r"\bminor\b",
    "with out": r"$",
}
"""Words that are an opposite in these surroundings only."""


def _fixed(word: str, sentence: str) -> bool:
    pattern = _ONE_SIDED.get(word)
    return pattern is not None and not re.search(pattern, sentence)


def _stands(words: str, sentence: str) -> bool:
    return words in sentence and len(re.findall(rf"(?<![\w-]){re.escape(words)}(?![\w-])", sentence)) == 1


def _rows(table: str) -> Iterator[tuple[str, str]]:
    for row in re.split(r"[|\n]", table.strip()):
        old, new = row.split(" ~ ")
        yield old, new


_UNITS = (
    "kilometres miles metres feet yards",
    "kilometers miles meters feet yards",
    "km mi m ft",
    "million billion thousand",
    "years months weeks days hours minutes",
    "kilograms pounds tonnes ounces",
    "kg lb",
    "square kilometres|square miles",
    "square kilometers|square miles",
    "countries cities villages",
    "people families",
    "albums singles films",
    "novels poems plays",
)


_COUNT = r"(?<![\w$£€])([\d.,]*\d|two|three|four|five|six|seven|eight|nine|ten)"


def _units(sentence: str, random: Random) -> Iterator[Edit]:
    """Units of numbers, and what is counted."""
    for row in _UNITS:
        names = row.split("|") if "|" in row else row.split()
        for found in re.finditer(rf"{_COUNT} ({'|'.join(names)})\b", sentence):
            others = [name for name in names if name != found[2] and not _stands(name, sentence)]
            if others:
                yield Edit(found[0], f"{found[1]} {random.choice(others)}", "unit", CONTRADICTION, CONTRADICTION)
