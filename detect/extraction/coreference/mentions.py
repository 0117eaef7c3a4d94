"""Mentions of a text: noun phrases, names and third-person pronouns, with what grammar and word lists tell of them.

Coreference by rules and by model start from the same mentions, and the model is trained on them, so this module alone
decides which phrases may stand for one another.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from itertools import takewhile
from typing import TYPE_CHECKING

from claimgraph.detect.extraction.coreference.persons import TITLES, may_be_person
from claimgraph.detect.text.syntax import SUBJECTS, after_comma, conjuncts, is_one_name, is_verb, phrase
from claimgraph.detect.text.words import FEMALE, GROUP_NOUNS, MALE, gender_of, is_person_noun
from claimgraph.kgstore.model import Span

if TYPE_CHECKING:
    from spacy.tokens import Span as Phrase
    from spacy.tokens import Token

    from claimgraph.detect.text.parse import Paragraph

PRONOUNS = {
    "he": "he", "him": "he", "his": "he", "himself": "he",
    "she": "she", "her": "she", "hers": "she", "herself": "she",
    "it": "it", "its": "it", "itself": "it",
    "they": "they", "them": "they", "their": "they", "theirs": "they", "themselves": "they",
}  # fmt: skip
"""The third-person pronouns by their subject form."""
_ENTITIES = {
    "PERSON": "person", "ORG": "group", "NORP": "group", "GPE": "place", "LOC": "place", "FAC": "place",
    "EVENT": "thing", "PRODUCT": "thing", "WORK_OF_ART": "thing", "LAW": "thing",
}  # fmt: skip
_NOT_NAMED = frozenset({"DATE", "TIME", "PERCENT", "MONEY", "QUANTITY", "ORDINAL", "CARDINAL", "LANGUAGE"})
_AFTER = frozenset({"prep", "acl", "relcl", "appos", "case"})
"""Relations of what follows a noun and is left out of its name."""
_DEFINITE = {"the": "definite", "this": "near", "that": "near", "these": "near", "those": "near"}
_ROLES = {
    "nsubj": "subject", "nsubjpass": "subject", "csubj": "subject", "csubjpass": "subject", "dobj": "object",
    "dative": "object", "pobj": "oblique", "poss": "owner", "attr": "predicate", "oprd": "predicate",
    "appos": "apposition", "conj": "conjunct",
}  # fmt: skip


_AROUND = frozenset({"quiet", "dark", "late", "early", "foggy", "windy", "sunny", "rainy", "chilly"})
"""What it is around everybody: "then it was quiet"."""
_YEAR = 4
"""Digits of a year."""
_NEAR = 5_000
"""Characters before and after a word in which the text is asked how it writes the word."""


class Form(StrEnum):
    """How a mention is worded."""

    HE = "he"
    SHE = "she"
    IT = "it"
    THEY = "they"
    NAME = "name"
    DEFINITE = "definite"
    NEAR = "near"
    INDEFINITE = "indefinite"
    OWNED = "owned"
    BARE = "bare"
    PAIR = "pair"

    @property
    def pronoun(self) -> bool:
        """Whether the mention is a third-person pronoun."""
        return self in {Form.HE, Form.SHE, Form.IT, Form.THEY}


@dataclass(frozen=True, slots=True)
class Mention:
    """A phrase that speaks of something. Offsets are characters of the whole text.

    `name` is the phrase with "the" for "a". `head` is where the head word begins, `within` the extent of everything
    that hangs on it, `verb` and `above` where the governing verb and the syntactic parent begin (-1: none). `definite`
    is whether the phrase is a definite noun with nothing after it that says which one. `entity` is person, group,
    place, thing or any; `human` whether "he" or "she" may speak of it.
    """

    start: int
    end: int
    head: int
    name: str
    form: Form
    entity: str
    plural: bool
    gender: str | None
    lemma: str
    role: str
    sentence: int
    verb: int = -1
    above: int = -1
    within: tuple[int, int] = (0, 0)
    human: bool = True
    definite: bool = False
    expletive: bool = False

    @property
    def span(self) -> Span:
        """Where the phrase stands in the text."""
        return Span(self.start, self.end)

    @property
    def key(self) -> tuple[int, bool]:
        """What tells mentions of a text apart: the head, and whether it stands for all its conjuncts."""
        return self.head, self.form is Form.PAIR


def mentions(paragraph: Paragraph, sentence: int) -> Iterator[tuple[Token, Mention]]:
    """The mentions of a paragraph with their head words, in text order; `sentence` is the number of its first one."""
    for number, span in enumerate(paragraph.doc.sents, sentence):
        for token in span:
            made = _mention(paragraph, token, number)
            if made is not None:
                yield token, made
                if token.dep_ != "conj" and len(conjuncts(token)) > 1 and not made.form.pronoun:
                    yield token, _pair(paragraph, token, number)


def _mention(paragraph: Paragraph, token: Token, sentence: int) -> Mention | None:
    if token.lower_ in PRONOUNS and token.tag_ in {"PRP", "PRP$"}:
        form = Form(PRONOUNS[token.lower_])
        gender = {"he": "m", "she": "f"}.get(form)
        entity = "person" if gender else "any"
        return _made(paragraph, [token], token, sentence, form, entity, form is Form.THEY, gender)
    if _is_model(token):
        words = [token.nbor(-1), token]
        return _made(paragraph, words, token, sentence, Form.NAME, "thing", False, None)
    noun = token.tag_.startswith("NN") and token.dep_ not in {"compound", "nmod", "npadvmod"}
    noun &= any(map(str.isalnum, token.text))
    asks = any(child.tag_ in {"WDT", "WP$"} for child in token.children)  # "which island"
    if not noun or asks or token.ent_type_ in _NOT_NAMED:
        return None
    plural = token.tag_ in {"NNS", "NNPS"}
    if _is_capitalised_name(paragraph, token):
        return _made(paragraph, [token], token, sentence, Form.NAME, "any", plural, gender_of(token.text))
    if token.ent_type_ in _ENTITIES:
        whole = phrase(token) if is_one_name(token) else entity_of(token)
        words = [t for t in whole if t.tag_ != "POS" or t.i < token.i]
        words = _whole_name(words[1:] if words[0].tag_ == "DT" and len(words) > 1 else words)
        words = _untitled(list(takewhile(lambda t: t.text != "(", words)) or words)
        entity = _ENTITIES[token.ent_type_]
        words = _with_first_name(words) if entity == "person" else words
        told = entity == "person" or len(words) > 1  # a person may be taken for a place: "Agnes Rudd"
        gender = gender_in([t.text for t in words], token) if told else None
        return _made(paragraph, words, token, sentence, Form.NAME, entity, token.ent_type_ == "NORP" or plural, gender)
    number = _model_number(token)
    if number is not None:
        words = [*(c for c in token.children if c.dep_ == "compound"), token, number]
        return _made(paragraph, words, token, sentence, Form.NAME, "thing", False, None)
    if looks_like_name(token):
        words = [*(c for c in token.children if c.dep_ == "compound"), token]
        return _made(paragraph, words, token, sentence, Form.NAME, "person", False, gender_of(words[0].text))
    words = phrase(token, [c for c in token.children if c.dep_ in _AFTER or (c.i > token.i and after_comma(c))])
    if not words:
        return None
    if token.tag_ in {"NNP", "NNPS"} and all(t.tag_ in {"NNP", "NNPS"} or _is_title_noun(t) for t in words):
        return _made(paragraph, words, token, sentence, Form.NAME, "any", plural, gender_of(words[0].text))
    lemma = token.lemma_.casefold()
    entity = "person" if is_person_noun(lemma) else "group" if lemma in GROUP_NOUNS else "thing"
    gender = gender_of(lemma) if entity == "person" else None
    return _made(paragraph, words, token, sentence, _form(token), entity, plural, gender)


def _is_title_noun(word: Token) -> bool:
    """Whether a common noun is written as a part of a name: "Fernhollow Zoo"."""
    return word.is_title and word.tag_ == "NN" and word.dep_ == "compound"


def _is_capitalised_name(paragraph: Paragraph, token: Token) -> bool:
    """Whether a sentence begins with a name that the parser took for a common noun: the text near it has the word with
    a capital inside a sentence, and never without one."""
    alone = token.is_sent_start and token.is_title and token.tag_ in {"NN", "NNS"} and not token.ent_type_
    if not alone or any(child.dep_ != "punct" and child.i < token.i for child in token.children):
        return False
    at, word = paragraph.starts[token.i], re.escape(token.text)
    near = paragraph.text[max(0, at - _NEAR) : at + _NEAR]
    inside = re.search(rf"[a-z,;] {word}\b", near)
    return inside is not None and re.search(rf"\b{re.escape(token.lower_)}\b", near) is None


def _whole_name(words: list[Token]) -> list[Token]:
    """A name without an end that goes on, or with what belongs to it after it: "Museum of" Kalmar, "Velora" 3."""
    if words[-1].tag_ != "IN":
        number = _model_number(words[-1])
        return [*words, number] if number is not None else words
    after = list(takewhile(lambda t: t.tag_ in {"NNP", "NNPS"}, words[-1].doc[words[-1].i + 1 : words[-1].sent.end]))
    return [*words, *after] if after else words[:-1] or words


def _model_number(name: Token) -> Token | None:
    """The number that ends the name of a thing: "The Velora 3 is a jacket"; None for a count, a year, and after persons
    and places."""
    number = name.nbor() if name.i + 1 < name.sent.end else name
    follows = number.nbor().tag_ if number.i + 1 < name.sent.end else ""
    short = number.tag_ == "CD" and number.text.isdigit() and len(number.text) < _YEAR
    thing = name.tag_ == "NNP" and name.ent_type_ not in {"PERSON", "GPE", "LOC", "NORP", "DATE"}
    return number if short and thing and not follows.startswith(("NN", "CD")) else None


def _untitled(name: list[Token]) -> list[Token]:
    """A name without the noun at the beginning of a sentence that says what the person is: "Striker Ann Lee"."""
    first = name[0]
    titled = len(name) > 2 and first.is_sent_start and first.tag_.startswith("NN")
    return name[1:] if titled and is_person_noun(first.lower_) and not gender_of(first.text) else name


def _with_first_name(name: list[Token]) -> list[Token]:
    """A person's family name with the first name before it, which was taken for no part of a name: "Anders" Corvin."""
    first = name[0]
    before = first.nbor(-1) if first.i > first.sent.start else first
    own = before.tag_ == "NNP" and before.dep_ == "compound" and before.head in name and not before.ent_type_
    titled = before.lower_.rstrip(".") in TITLES or is_person_noun(before.lower_)
    return [before, *name] if len(name) == 1 and own and before.is_title and not titled else name


def _is_model(token: Token) -> bool:
    """Whether a number ends the name of a thing as a subject: "The Fjell 3 is a tent"."""
    before = token.nbor(-1) if token.i > token.sent.start else token
    named = before.tag_ == "NNP" and before.dep_ == "compound" and before.head == token
    return named and token.tag_ == "CD" and token.dep_ in SUBJECTS and token.ent_type_ not in _NOT_NAMED - {"CARDINAL"}


def _pair(paragraph: Paragraph, token: Token, sentence: int) -> Mention:
    """ "X and Y", whom "they" may mean."""
    asides = [c for head in conjuncts(token) for c in head.children if c.dep_ in {"appos", "relcl", "prep", "acl"}]
    words = phrase(token, asides, loose=True)
    entity = "person" if token.ent_type_ == "PERSON" or is_person_noun(token.lemma_) else "any"
    return _made(paragraph, words, token, sentence, Form.PAIR, entity, True, None)


def _made(
    paragraph: Paragraph,
    words: list[Token],
    token: Token,
    sentence: int,
    form: Form,
    entity: str,
    plural: bool,
    gender: str | None,
) -> Mention:
    span = paragraph.cover(words)
    verb = next((a for a in token.ancestors if is_verb(a)), None)
    common = form in {Form.DEFINITE, Form.NEAR}
    human = form.pronoun or form is Form.PAIR or may_be_person(token, words, named=form is Form.NAME)
    if form is Form.NAME and entity == "person" and not human:
        entity, gender = "any", None
    return Mention(
        start=span.start,
        end=span.end,
        head=paragraph.starts[token.i],
        name=paragraph.words(words, _opening(words[0], form)),
        form=form,
        entity=entity,
        plural=plural,
        gender=gender,
        lemma=token.lemma_.casefold(),
        role=role(token),
        sentence=sentence,
        verb=paragraph.starts[verb.i] if verb is not None else -1,
        above=paragraph.starts[token.head.i] if token.head.i != token.i else -1,
        within=(paragraph.starts[token.left_edge.i], paragraph.ends[token.right_edge.i]),
        human=human,
        definite=common and not any(c.i > token.i and not c.is_punct and c.dep_ != "case" for c in token.children),
        expletive=form is Form.IT and is_expletive(token),
    )


def _opening(first: Token, form: Form) -> dict[int, str]:
    """The first word of a name as it is written inside a sentence, with "the" for "a"."""
    if form is Form.INDEFINITE and first.tag_ == "DT":
        return {first.i: "the"}
    plain = form is not Form.NAME and first.is_sent_start and first.tag_ not in {"NNP", "NNPS"} and not first.ent_type_
    return {first.i: first.lower_} if plain or (first.is_sent_start and first.tag_ == "CD") else {}


def _form(token: Token) -> Form:
    for child in token.children:
        if child.dep_ == "poss":
            return Form.OWNED
        if child.i < token.i and child.lower_ in _DEFINITE:
            return Form(_DEFINITE[child.lower_])
        if child.lower_ in {"a", "an"}:
            return Form.INDEFINITE
    return Form.BARE


def role(token: Token) -> str:
    """Its grammatical role; "theme" for the owner of a subject: "Emma's genre" and "The genre of Emma" tell of Emma."""
    if token.tag_ == "PRP" and token.lower_.endswith(("self", "selves")):
        return "reflexive"
    of = token.head if token.dep_ == "poss" else token.head.head if token.head.lower_ == "of" else None
    if of is not None and token.dep_ in {"poss", "pobj"} and of.dep_ in SUBJECTS and token.tag_ != "PRP$":
        return "theme"
    return _ROLES.get(token.dep_, "other")


def is_expletive(token: Token) -> bool:
    """Whether "it" stands for nothing: "it is likely that", "it seems", "it rained"."""
    verb = token.head
    if token.lower_ != "it" or token.dep_ not in SUBJECTS:
        return False
    clausal = any(map(_fills, verb.children))
    judged = any(c.dep_ == "acomp" or c.dep_ == "attr" for c in verb.children)
    deep = any(
        g.dep_ in {"ccomp", "xcomp", "relcl"} for c in verb.children if c.dep_ in {"acomp", "attr"} for g in c.children
    )
    passive = clausal and any(child.dep_ == "auxpass" for child in verb.children)
    around = verb.lemma_ == "be" and any(c.dep_ == "acomp" and c.lower_ in _AROUND for c in verb.children)
    return (
        passive
        or around
        or (verb.lemma_ == "be" and judged and (clausal or deep))
        or (
            verb.lemma_ in {"seem", "appear", "rain", "snow", "happen", "turn"}
            and (clausal or verb.lemma_ in {"rain", "snow"})
        )
    )


def _fills(child: Token) -> bool:
    """Whether a clause may be what "it" stands for: "it was agreed to meet", not "it is shut when rivers freeze"."""
    ahead = child.i > child.head.i and any(c.tag_ == "TO" or c.lower_ in {"that", "whether"} for c in child.children)
    return child.dep_ in {"ccomp", "xcomp", "csubj"} or (child.dep_ == "advcl" and ahead)


def entity_of(token: Token) -> Phrase:
    """The named entity around the token; the token alone where it is in none."""
    near = (e for e in token.sent.ents if e.start <= token.i < e.end)
    return next(near, token.doc[token.i : token.i + 1])


def looks_like_name(token: Token) -> bool:
    """A first name or title and more, in texts that were put in lower case."""
    first = next((c for c in token.children if c.dep_ == "compound"), None)
    if first is None or first.i != token.i - 1:
        return False
    key = first.lower_.rstrip(".")
    return key in TITLES or (first.is_lower and (key in MALE or key in FEMALE))


def gender_in(words: list[str], token: Token) -> str | None:
    """ "m" or "f" as the title or first name of a person tells; None where neither does."""
    titles = [c.text for c in token.children if c.dep_ in {"compound", "nmod"}]
    return next((g for g in map(gender_of, [*titles[:1], *words[:1]]) if g), None)
