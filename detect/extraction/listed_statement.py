"""A statement of several subjects as one of each: "A rack and a bell are included" gives "A rack is included."

What is wrong of one of them would otherwise hide behind what is right of the others. Where something is said of all
together ("Ann and Bob met", "cost 30 euros", "are twins"), or one subject has not all of its own words ("local farmers
and bakers"), the statement stays one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from claimgraph.detect.extraction.agreement import agreeing
from claimgraph.detect.extraction.clause_sentence import ClauseSentence, made
from claimgraph.detect.extraction.clauses import Clause, is_existential, subjects
from claimgraph.detect.text.syntax import is_verb, verb_group
from claimgraph.detect.text.words import words

if TYPE_CHECKING:
    from spacy.tokens import Token

    from claimgraph.detect.text.parse import Paragraph

_TOGETHER = words(
    "together both each other another between among jointly respectively combined apart alike same different equal "
    "equally similar separate separately total altogether half their theirs they them themselves one pair couple joint "
    "along only save except unless"
)
"""Words of a sentence that speaks of several things as of one, or of each beside the others."""
_COLLECTIVE = words(
    "agree alternate amount border collide combine compete comprise compose constitute cooperate correspond cost "
    "differ disagree divorce fight flank follow form gather join make marry match meet merge outnumber overlap own "
    "play range separate share split surround total unite vary weigh"
)
"""Verbs that may be said of several together."""
_QUANTIFIERS = words("all any both each either every neither no some")
_DETERMINED = frozenset({"det", "poss", "nummod"})
_COUNTED = frozenset({"CARDINAL", "MONEY", "PERCENT", "QUANTITY"})


def of_one_subject(part: Paragraph, clause: Clause, said: ClauseSentence, names: Mapping[int, str]) -> ClauseSentence:
    """Return what a clause's sentence says of the clause's subject alone; the sentence where that is not sure."""
    verb = clause.verb
    if verb is None or clause.subject not in said.tokens or made(part, said.tokens, names) != said:
        return said
    listed = subjects(verb)
    if len(listed) < 2:
        return said
    inside = {token for one in listed for token in one.subtree}
    first, last = min(token.i for token in inside), max(token.i for token in inside)
    rest = [token for token in said.tokens if token not in inside]
    if any(token.text == "," and token.i == last + 1 for token in rest) or not _distributes(verb, listed, rest):
        return said
    inside |= {token for token in rest if token.is_punct and first < token.i < last}
    own = _words(clause.subject, listed)
    kept = [token for token in said.tokens if token not in inside or token in own]
    agreement = {
        at: form
        for one in kept
        if is_verb(one) and subjects(one) == listed
        for at, form in agreeing(own, verb_group(one)).items()
    }
    return made(part, kept, {**names, **agreement})


def _words(noun: Token, listed: Sequence[Token]) -> list[Token]:
    """The words of one of the listed nouns, without the others and what joins them."""
    others = {t for other in listed if other != noun and other in noun.subtree for t in other.subtree}
    joins = {child for child in noun.children if child.dep_ in {"cc", "punct", "preconj"}}
    return [token for token in noun.subtree if token not in others and token not in joins]


def _distributes(verb: Token, listed: Sequence[Token], rest: Sequence[Token]) -> bool:
    """Whether what is said of the listed nouns holds of each, and each has all of its words; `rest` are the others."""
    if is_existential(verb) or verb.lemma_ in _COLLECTIVE or any(c.dep_ in {"attr", "oprd"} for c in verb.children):
        return False
    if any(child.dep_ == "conj" and child in rest for child in verb.children):
        return False
    if any(token.lower_ in _TOGETHER or token.ent_type_ in _COUNTED or token.dep_ == "nummod" for token in rest):
        return False
    joins = [child.lower_ for noun in listed for child in noun.children if child.dep_ == "cc"]
    return joins == ["and"] and all(_is_whole(noun, listed[0]) for noun in listed) and not _one_name(listed)


def _is_whole(noun: Token, first: Token) -> bool:
    """Whether a noun of a list is named without the words of the others."""
    if not noun.tag_.startswith("NN") or any(c.lower_ in _QUANTIFIERS for c in noun.children):
        return False
    if any(c.dep_ in {"relcl", "acl", "appos"} or (c.dep_ == "prep" and c.lower_ != "of") for c in noun.children):
        return False
    determined, before = (any(c.dep_ in _DETERMINED for c in one.children) for one in (noun, first))
    modified = any(child.dep_ == "amod" for child in first.children)
    if noun != first and modified and not any(c.dep_ in {"amod", *_DETERMINED} for c in noun.children):
        return False
    return determined or noun.tag_ != "NN" or not before


def _one_name(listed: Sequence[Token]) -> bool:
    """Whether several of the nouns stand in one name: "Johnson and Johnson"."""
    names = [(ent.start, ent.end) for ent in listed[0].doc.ents if sum(ent.start <= t.i < ent.end for t in listed) > 1]
    return bool(names)
