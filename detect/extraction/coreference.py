"""Who "he" is: pronouns, surnames and "the company" resolved within a text by rule.

After Lappin and Leass (1994): candidates that agree in gender, number and animacy are weighed by grammatical role,
recency and how often they were spoken of. The state is a list of plain values, so a text is read paragraph by
paragraph and of any length. A neural model was rejected: none is carried by a package.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from claimgraph.detect.text.gendered_names import FEMALE, GROUP_NOUNS, MALE, gender_of, is_person_noun, words
from claimgraph.detect.text.syntax import SUBJECTS, conjuncts, is_verb, phrase

if TYPE_CHECKING:
    from spacy.tokens import Span, Token

    from claimgraph.detect.text.parse import Paragraph

_PRONOUNS = {
    "he": "m", "him": "m", "his": "m", "himself": "m", "she": "f", "her": "f", "hers": "f", "herself": "f",
    "it": "n", "its": "n", "itself": "n", "they": "p", "them": "p", "their": "p", "theirs": "p", "themselves": "p",
}  # fmt: skip
_SPEAKER = frozenset({"i", "me", "my", "myself"})
_KINDS = {
    "PERSON": "person", "ORG": "group", "NORP": "group", "GPE": "place", "LOC": "place", "FAC": "place",
    "EVENT": "thing", "PRODUCT": "thing", "WORK_OF_ART": "thing", "LAW": "thing",
}  # fmt: skip
_NOT_NAMED = frozenset({"DATE", "TIME", "PERCENT", "MONEY", "QUANTITY", "ORDINAL", "CARDINAL", "LANGUAGE"})
_KINDS_OF_NOUNS = (
    (words("film movie book novel album song series show game play"), frozenset({"group", "place", "thing", "any"})),
    (words("country state city town village island region"), frozenset({"place"})),
    (GROUP_NOUNS | words("label studio museum magazine newspaper network"), frozenset({"group"})),
)
"""What kind of name a common noun may speak of; a work's name is any kind of name but a person's."""
_TITLES = frozenset({"mr", "mrs", "ms", "miss", "dr", "sir"})
_SUFFIXES = frozenset(
    {"inc", "corp", "corporation", "ltd", "limited", "company", "co", "plc", "llc", "fc", "club", "group"}
)
_REACH = {"m": 12, "f": 12, "n": 3, "p": 3}
_MEMORY = 200
_FADES = 5
"""Sentences after which a name, and what has none, is forgotten."""
_ROLES = {"nsubj": 4.0, "nsubjpass": 4.0, "dobj": 2.0, "pobj": 1.0, "poss": 1.0}


@dataclass(slots=True)
class Referent:
    """Something the text speaks of. `kind` is person, group, place, thing or any; `said` the nouns it was called by."""

    name: str
    kind: str
    plural: bool
    named: bool
    gender: str | None
    sentence: int
    position: int
    role: str
    count: int = 1
    said: set[str] = field(default_factory=set)


class Discourse:
    """What a text has spoken of so far. Feed paragraphs in order; one object a text."""

    def __init__(self) -> None:
        self._referents: list[Referent] = []
        self._sentence = 0

    def read(self, paragraph: Paragraph) -> dict[int, str]:
        """Words to put in place of tokens, by token number; "" for tokens that their neighbour speaks for."""
        names: dict[int, str] = {}
        for sentence in paragraph.doc.sents:
            self._sentence += 1
            self._forget()
            here: dict[int, Referent] = {}
            for token in sentence:
                if token.lower_ in _PRONOUNS and token.tag_ in {"PRP", "PRP$"}:
                    self._pronoun(token, here, names)
                elif token.lower_ in _SPEAKER:
                    self._speaker(token, names)
                elif token.tag_.startswith("NN") and token.dep_ != "compound":
                    self._noun(paragraph, token, here, names)
        return names

    def _forget(self) -> None:
        """Drop what was not spoken of for long, so that a long text costs no more a sentence than a short one."""
        self._referents = [
            r for r in self._referents if self._sentence - r.sentence <= (_MEMORY if r.named else _FADES)
        ]

    def _pronoun(self, token: Token, here: dict[int, Referent], names: dict[int, str]) -> None:
        kind = _PRONOUNS[token.lower_]
        if kind == "n" and is_expletive(token):
            return
        barred = _coarguments(token, here)
        fits = [r for r in self._referents if self._agrees(r, kind) and not any(r is b for b in barred)]
        if not fits:
            return
        best = max(fits, key=lambda r: (self._weight(r, token, here), r.sentence, r.position))
        if kind in "mf":
            best.kind, best.gender = "person", kind
        self._touch(best, token)
        here[token.i] = best
        names[token.i] = _possessive(best.name) if token.tag_ == "PRP$" else best.name

    def _speaker(self, token: Token, names: dict[int, str]) -> None:
        """ "I" in a quotation is who says it."""
        for verb in token.ancestors:
            if verb.dep_ == "ccomp" and verb.head.lemma_ in {"say", "tell", "add", "write", "explain", "admit"}:
                for child in verb.head.children:
                    if child.dep_ == "nsubj" and child.ent_type_ == "PERSON":
                        name = _full(self._referents, _entity(child).text.strip())
                        names[token.i] = _possessive(name) if token.tag_ == "PRP$" else name
                return

    def _noun(self, paragraph: Paragraph, token: Token, here: dict[int, Referent], names: dict[int, str]) -> None:
        made = _mention(paragraph, token)
        if made is None:
            return
        made.sentence, made.position, made.role = self._sentence, token.i, _role(token)
        known = self._same(made, token)
        if known is None:
            self._referents.append(made)
            known = made
        else:
            self._rename(token, made, known, names)
            self._touch(known, token)
        here[token.i] = known
        self._learn(token, made, here)
        if token.dep_ != "conj" and len(conjuncts(token)) > 1:
            self._together(paragraph, token, made)

    def _together(self, paragraph: Paragraph, token: Token, made: Referent) -> None:
        """ "X and Y", whom "they" may mean."""
        asides = [c for head in conjuncts(token) for c in head.children if c.dep_ in {"appos", "relcl", "prep", "acl"}]
        name = paragraph.words(phrase(token, asides, loose=True))
        self._referents.append(replace(made, name=name, plural=True, named=False, said=set()))

    def _same(self, made: Referent, token: Token) -> Referent | None:
        """The referent a repeated or shortened name, or a definite noun, speaks of."""
        if made.named:
            same = [r for r in self._referents if r.named and _short_for(made, r)]
            return max(same, key=lambda r: r.count, default=None)
        if token.tag_ == "NNP" and not any(child.dep_ == "compound" for child in token.children):
            people = (r for r in reversed(self._referents) if r.named and r.kind == "person")
            return next((r for r in people if r.name.split()[-1] == token.text), None)
        if not _definite(token):
            return None
        noun = token.lemma_.casefold()
        for referent in reversed(self._referents):
            if noun in referent.said and referent.plural == made.plural:
                return referent
        groups = [r for r in self._referents if r.named and r.kind == "group"]
        if noun in GROUP_NOUNS and len(groups) == 1 and not made.plural:
            return groups[0]
        return self._topic(noun) if token.dep_ in SUBJECTS and not made.plural else None

    def _topic(self, noun: str) -> Referent | None:
        """What "the film" or "the country" is in a text about one: the only such thing that was lately a subject."""
        kinds = next((kinds for nouns, kinds in _KINDS_OF_NOUNS if noun in nouns), frozenset())
        lately = [r for r in self._referents if r.named and r.role in SUBJECTS and self._sentence - r.sentence <= 3]
        fits = [r for r in lately if r.kind in kinds]
        return fits[0] if len(fits) == 1 else None

    def _rename(self, token: Token, made: Referent, known: Referent, names: dict[int, str]) -> None:
        """Let a shortened name or "the company" be read as the full name."""
        if not known.named or made.name == known.name:
            return
        tokens = list(_entity(token)) if made.named else list(phrase(token))
        tokens = [t for t in tokens if t.tag_ != "POS"]
        names.update((other.i, "") for other in tokens)
        names.update((other.i, known.name) for other in tokens[:1])

    def _learn(self, token: Token, made: Referent, here: dict[int, Referent]) -> None:
        """ "X is a company", "X, a company", "the company, X": one referent, called both."""
        holder = _described(token)
        described = here.get(holder.i) if holder is not None else None
        if described is None or described is here[token.i] or (made.named and described.named):
            return
        described.said |= made.said
        described.gender = described.gender or made.gender
        if made.kind in {"person", "group"}:
            described.kind = made.kind
        if made.named:
            described.name, described.kind, described.named = made.name, made.kind, True
        self._referents = [r for r in self._referents if r is not here[token.i]]
        here[token.i] = described

    def _agrees(self, referent: Referent, kind: str) -> bool:
        if self._sentence - referent.sentence > (_REACH[kind] if referent.named else 2):
            return False
        if kind == "p":
            return referent.plural or referent.kind == "group"
        if referent.plural:
            return False
        if kind == "n":
            return referent.kind != "person"
        return referent.kind in {"person", "any"} and referent.gender in {kind, None}

    def _weight(self, referent: Referent, token: Token, here: dict[int, Referent]) -> float:
        person = _PRONOUNS[token.lower_] in "mf"
        weight = _ROLES.get(referent.role, 0.0) + min(referent.count, 5) * 0.6
        weight += (4.0 if person else 1.0) * referent.named - 2.0 * (self._sentence - referent.sentence)
        if person and referent.gender is None:
            weight -= 1.5
        if _PRONOUNS[token.lower_] == "p" and referent.named and referent.said & GROUP_NOUNS:
            weight += 4.0
        if token.tag_ == "PRP$" and any(r is referent for r in _clause_subjects(token, here)):
            weight += 2.0
        return weight

    def _touch(self, referent: Referent, token: Token) -> None:
        referent.sentence, referent.position, referent.role = self._sentence, token.i, _role(token)
        referent.count += 1


def is_expletive(token: Token) -> bool:
    """Whether "it" stands for nothing: "it is likely that", "it seems", "it rained"."""
    verb = token.head
    if token.lower_ != "it" or token.dep_ not in SUBJECTS:
        return False
    clausal = any(child.dep_ in {"ccomp", "xcomp", "csubj", "advcl"} for child in verb.children)
    judged = any(c.dep_ == "acomp" or c.dep_ == "attr" for c in verb.children)
    deep = any(
        g.dep_ in {"ccomp", "xcomp", "relcl"} for c in verb.children if c.dep_ in {"acomp", "attr"} for g in c.children
    )
    passive = clausal and any(child.dep_ == "auxpass" for child in verb.children)
    return (
        passive
        or (verb.lemma_ == "be" and judged and (clausal or deep))
        or (
            verb.lemma_ in {"seem", "appear", "rain", "snow", "happen", "turn"}
            and (clausal or verb.lemma_ in {"rain", "snow"})
        )
    )


def _role(token: Token) -> str:
    """Its grammatical role; that of a subject for its owner: "Emma's genre is comedy" and "The genre of Emma is comedy"
    are about Emma."""
    of = token.head if token.dep_ == "poss" else token.head.head if token.head.lower_ == "of" else None
    owns = of is not None and token.dep_ in {"poss", "pobj"} and of.dep_ in SUBJECTS
    return "nsubj" if owns else token.dep_


def _mention(paragraph: Paragraph, token: Token) -> Referent | None:
    if token.ent_type_ in _NOT_NAMED or token.dep_ in {"nmod", "npadvmod"}:
        return None
    plural = token.tag_ in {"NNS", "NNPS"}
    if token.ent_type_ in _KINDS:
        entity = [t for t in _entity(token) if t.tag_ != "POS"]
        name = paragraph.words(t for t in entity if not (t == entity[0] and t.tag_ == "DT"))
        kind = _KINDS[token.ent_type_]
        gender = _gender([t.text for t in entity], token) if kind == "person" else None
        return Referent(name, kind, token.ent_type_ == "NORP", True, gender, 0, 0, token.dep_)
    if _looks_like_name(token):
        tokens = [*(c for c in token.children if c.dep_ == "compound"), token]
        return Referent(paragraph.words(tokens), "person", False, True, gender_of(tokens[0].text), 0, 0, token.dep_)
    words = phrase(token, [c for c in token.children if c.dep_ in {"prep", "acl", "relcl", "appos", "case"}])
    if not words:
        return None
    if token.tag_ == "NNP" and all(t.tag_ == "NNP" for t in words):
        return Referent(paragraph.words(words), "any", False, True, gender_of(words[0].text), 0, 0, token.dep_)
    name = paragraph.words(words, {words[0].i: "the"} if words[0].lower_ in {"a", "an"} else {})
    lemma = token.lemma_.casefold()
    kind = "person" if is_person_noun(lemma) else "group" if lemma in GROUP_NOUNS else "thing"
    made = Referent(name, kind, plural, False, gender_of(lemma) if kind == "person" else None, 0, 0, token.dep_)
    made.said.add(lemma)
    return made


def _looks_like_name(token: Token) -> bool:
    """A first name or title and more, in texts that were put in lower case."""
    first = next((c for c in token.children if c.dep_ == "compound"), None)
    if first is None or first.i != token.i - 1:
        return False
    key = first.lower_.rstrip(".")
    return key in _TITLES or (first.is_lower and (key in MALE or key in FEMALE))


def _gender(words: list[str], token: Token) -> str | None:
    titles = [c.text for c in token.children if c.dep_ in {"compound", "nmod"}]
    found = [g for g in map(gender_of, [*titles[:1], *words[:1]]) if g]
    return found[0] if found else None


def _entity(token: Token) -> Span:
    """The named entity around the token; the token alone where it is in none."""
    near = (e for e in token.sent.ents if e.start <= token.i < e.end)
    return next(near, token.doc[token.i : token.i + 1])


def _short_for(made: Referent, known: Referent) -> bool:
    """Whether a name shortens a known one: "Curie" for a person; "Apple" for Apple Inc."""
    if made.name == known.name:
        return True
    words, full = made.name.split(), known.name.split()
    if known.kind in {"person", "any"}:
        clash = made.gender and known.gender and made.gender != known.gender
        if made.kind in {"person", "any"}:
            return (
                not clash and len(words) < len(full) and (words == full[-len(words) :] or words == full[: len(words)])
            )
        return len(words) == 1 and len(full) > 1 and words[0] == full[-1] and made.kind != "place"
    return made.kind == "group" and words == full[:-1] and full[-1].rstrip(".").casefold() in _SUFFIXES


def _full(referents: list[Referent], name: str) -> str:
    known = (
        r.name
        for r in reversed(referents)
        if r.named and r.kind == "person" and r.name.split()[-1:] == name.split()[-1:]
    )
    return next(known, name)


def _definite(token: Token) -> bool:
    """ "the company", with nothing after it that says which."""
    children = list(token.children)
    return any(c.lower_ in {"the", "this"} for c in children) and not any(
        c.i > token.i and not c.is_punct for c in children
    )


def _described(token: Token) -> Token | None:
    """What a predicate noun or apposition describes."""
    if token.dep_ == "attr" and is_verb(token.head):
        return next((c for c in token.head.children if c.dep_ in SUBJECTS), None)
    return token.head if token.dep_ == "appos" else None


def _coarguments(token: Token, here: dict[int, Referent]) -> list[Referent]:
    """Referents that a plain object pronoun cannot mean: the subjects of its verb."""
    if token.tag_ == "PRP$" or token.dep_ in SUBJECTS or token.lower_.endswith(("self", "selves")):
        return []
    return list(_clause_subjects(token, here))


def _clause_subjects(token: Token, here: dict[int, Referent]) -> Iterator[Referent]:
    verb = next((a for a in token.ancestors if is_verb(a)), None)
    for child in verb.children if verb is not None else ():
        if child.dep_ in SUBJECTS and child.i in here:
            yield here[child.i]


def _possessive(name: str) -> str:
    return f"{name}'" if name.endswith("s") else f"{name}'s"
