"""Which mentions "he" and "she" may speak of: whoever grammar and words do not show to be no person.

A small parser's labels of names are right too seldom to decide alone ("Radium" is a person to it, "Toft" a place); what
a sentence says is done to a name decides before them: nobody invents or composes a person.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from claimgraph.detect.text.syntax import is_verb
from claimgraph.detect.text.words import gender_of, is_country, is_person_noun, words

if TYPE_CHECKING:
    from spacy.tokens import Token

TITLES = frozenset({"mr", "mrs", "ms", "miss", "dr", "sir"})
_PERSON = re.compile(r"(?:er|or|ist|ian|ant|ent|eer|ess|ee|man|woman|wife|child|mate|smith|body)$")
"""Endings of nouns for persons."""
_THINGS = frozenset({"EVENT", "PRODUCT", "WORK_OF_ART", "LAW"})
_MAKING = words(
    """
    build co-found code coin compose construct create design develop direct discover establish film formulate found
    invent isolate launch manufacture paint patent popularise popularize program publish sculpt set start synthesise
    synthesize write
    """
)
"""Verbs whose object is hardly ever a person."""
_SORTS = words("album book brand breed film genus kind novel painting ship song species strain type variety vessel")
"""Nouns that a name beside them tells of, which is no person's: "a species of moss, Riccia fluitans,"."""
_SITES = words(
    """
    airport association avenue award bay beach bridge canal castle cathedral centre center church college cup fjord
    gallery hall hospital institute island lake league library mountain museum palace park peninsula prize reserve river
    road sea square station street theatre theater tower university valley
    """
)
"""Last words of names that are no person's."""
_BEFORE_SITES = words("cape fort glacier lake mount mt river")
_DONE_TO_PEOPLE = words(
    """
    accuse acquit admire adopt advise appoint approach arrest ask assassinate award baptise baptize beat bear betray
    bury capture charge coach convict criticise criticize crown defeat diagnose educate elect employ encourage execute
    exile expel fire force help hire honour honor imprison influence injure inspire interview invite jail kill knight
    marry meet mentor murder name nominate offer order persuade poison praise promote raise recruit rescue sack send
    sentence shoot succeed sue support teach tell train treat urge wound
    """
)


def may_be_person(token: Token, said: Sequence[Token], *, named: bool) -> bool:
    """Return whether a noun, or the name of the words `said` around it, may be somebody's."""
    if not named:
        lemma = token.lemma_.casefold()
        return is_person_noun(lemma) or (bool(_PERSON.search(lemma)) and not _is_made(token))
    if (token.dep_ == "appos" and token.head.lemma_ in _SORTS) or is_country(" ".join(t.text for t in said)):
        return False
    if _is_site(said) or _has_article(token, said):
        return False
    if is_surely_person(token, said):
        return True
    things = token.ent_type_ in _THINGS or _is_made(token) or _stands_beside_person(token)
    return not things and not _names_thing(token)


def _is_site(said: Sequence[Token]) -> bool:
    """Return whether a name says itself that it is a place's or a body's: "Gatun Lake", "Kelso & Sons"."""
    several = len(said) > 1
    return several and (
        said[-1].lower_ in _SITES or said[0].lower_ in _BEFORE_SITES or any(t.text == "&" for t in said)
    )


def _has_article(token: Token, said: Sequence[Token]) -> bool:
    """Return whether "the" stands right before a name, or a word with a number between: "the Gwen", "the 1987-built
    Solvåg"; a person's has a noun or adjective there, "the young Mozart"."""
    the = next((child for child in token.children if child.lower_ == "the" and child.i <= said[0].i), None)
    between = token.doc[the.i + 1 : said[0].i] if the is not None else ()
    return the is not None and said[-1].tag_ == "NNP" and (not between or any(map(_has_digit, between)))


def _has_digit(token: Token) -> bool:
    return any(character.isdigit() for character in token.text)


def is_surely_person(token: Token, said: Sequence[Token]) -> bool:
    """Return whether a name has a title, a first name that is known, or more than one word that a parser takes for a
    person's.
    """
    before = [child.lower_.rstrip(".") for child in token.children if child.dep_ in {"compound", "nmod"}]
    if gender_of(said[0].text) or any(word in TITLES or is_person_noun(word) for word in before):
        return True
    return token.ent_type_ == "PERSON" and len(said) > 1


def _names_thing(token: Token) -> bool:
    """Return whether a name stands beside a noun that is no person's: "a charity, the Hearth"."""
    noun = token.head
    common = token.dep_ == "appos" and noun.tag_ == "NN" and token.i > noun.i
    return common and not is_person_noun(noun.lemma_) and not _PERSON.search(noun.lemma_)


def _is_made(token: Token) -> bool:
    """Return whether a sentence says that something is invented, written or founded."""
    verb = token.head
    return is_verb(verb) and verb.lemma_ in _MAKING and token.dep_ in {"nsubjpass", "dobj"}


def _stands_beside_person(token: Token) -> bool:
    """Return whether something is done to what is named, which is not done to people alone, and the sentence has a
    person by full name: "Insulin was first given to Leonard Thompson".
    """
    if token.dep_ != "nsubjpass" or token.ent_type_ == "PERSON" or token.head.lemma_ in _DONE_TO_PEOPLE:
        return False
    return any(entity.label_ == "PERSON" and len(entity) > 1 for entity in token.sent.ents)
