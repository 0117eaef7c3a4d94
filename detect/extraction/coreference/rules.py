"""What a text speaks of as far as it was read, and antecedents by rule (Lappin and Leass 1994), if no model chooses.

Candidates that agree in gender, number and animacy are weighed by grammatical role, recency and how often they were
spoken of.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from claimgraph.detect.extraction.coreference.groups import part_of
from claimgraph.detect.extraction.coreference.mentions import Form, Mention, entity_of
from claimgraph.detect.text.syntax import SUBJECTS, is_verb
from claimgraph.detect.text.words import GROUP_NOUNS, words
from claimgraph.kgstore.model import Span

if TYPE_CHECKING:
    from spacy.tokens import Token


_SUFFIXES = words(
    "inc corp corporation ltd limited company co plc llc fc club group ab as asa oy oyj sa ag gmbh nv bv spa kg se"
)


_LONGEST = 6
"""Words after a noun that its name keeps at most."""


@dataclass(slots=True)
class Referent:
    """Something the text speaks of. `kind` is person, group, place, thing or any; `human` whether "he" or
    "she" may speak of it, `said` the nouns it was called by, `source` where its name stands, `article` whether "the"
    stands before the name, `part` the subject that counts some of it."""

    name: str
    kind: str
    plural: bool
    named: bool
    gender: str | None
    source: Span
    sentence: int
    position: int
    role: str
    count: int = 1
    said: set[str] = field(default_factory=set)
    article: bool = False
    human: bool = True
    part: str | None = None
    first: int = 0


def referent_of(token: Token, mention: Mention, sentence: int) -> Referent:
    """What a mention speaks of, as long as nothing else is known of it."""
    named = mention.form is Form.NAME
    plural = token.ent_type_ == "NORP" if named else mention.plural
    made = Referent(
        name=mention.name,
        kind=mention.entity,
        plural=plural,
        named=named,
        gender=mention.gender,
        source=mention.span,
        sentence=sentence,
        position=token.i,
        role=role_of(token),
        article=named and _after_the(token),
        human=mention.human,
        part=part_of(token),
        first=sentence,
    )
    if not named and mention.form is not Form.PAIR:
        made.name += of_phrase(token, mention.name)
    if not named and mention.form is not Form.PAIR:
        made.said.add(mention.lemma)
    return made


def of_phrase(token: Token, name: str) -> str:
    """What "of" adds to the name of a noun, a space before it: " of the freighter"; "" where it is long."""
    prep = next((c for c in token.children if c.dep_ == "prep" and c.lower_ == "of" and c.i == token.i + 1), None)
    said = list(prep.subtree) if prep is not None else []
    if not said or len(said) > _LONGEST or any(t.tag_ in {"PRP", "PRP$", "WDT", "WP"} or t.is_punct for t in said):
        return ""
    return f" {''.join(t.text_with_ws for t in said).strip()}" if name.split()[-1] == token.text else ""


def _after_the(name: Token) -> bool:
    """Whether "the" stands right before or at the beginning of a name."""
    begins = entity_of(name).start
    return any(word.lower_ == "the" and word.i in {begins - 1, begins} for word in name.subtree)


def may_be(form: Form, referent: Referent) -> bool:
    """Whether a pronoun of that form may speak of it: "he" of nobody who was called "she"."""
    gender = {Form.HE: "m", Form.SHE: "f"}.get(form)
    return gender is None or (referent.human and referent.gender in {None, gender})


def role_of(token: Token) -> str:
    """Its grammatical role; that of a subject for its owner: "Emma's genre is comedy" and "The genre of Emma is comedy"
    are about Emma."""
    of = token.head if token.dep_ == "poss" else token.head.head if token.head.lower_ == "of" else None
    owns = of is not None and token.dep_ in {"poss", "pobj"} and of.dep_ in SUBJECTS
    return "nsubj" if owns else token.dep_


def short_for(made: Referent, known: Referent) -> bool:
    """Whether a name shortens a known one: "Curie" for a person; "Apple" for Apple Inc., but not for its Lisa 2."""
    if made.name == known.name:
        return True
    words, full = made.name.split(), known.name.split()
    if words == full[: len(words)] and any(map(str.isdigit, "".join(full[len(words) :]))):
        return False
    if known.kind in {"person", "any"}:
        clash = made.gender and known.gender and made.gender != known.gender
        if made.kind in {"person", "any"}:
            return (
                not clash and len(words) < len(full) and (words == full[-len(words) :] or words == full[: len(words)])
            )
        return len(words) == 1 and len(full) > 1 and words[0] == full[-1] and made.kind != "place"
    if known.kind == "thing" and any(character.isdigit() for character in words[-1]):
        return words == full[-len(words) :]
    shortened = words == full[:-1] and full[-1].rstrip(".").casefold() in _SUFFIXES
    return shortened and made.kind in {"group", "place", "any"}


_AGAINST = frozenset({"unlike", "like", "besides", "alongside"})
_KINDS = {Form.HE: "m", Form.SHE: "f", Form.IT: "n", Form.THEY: "p"}
_REACH = {"m": 12, "f": 12, "n": 3, "p": 3}
"""Sentences back to a name, by kind of pronoun."""
_ROLES = {"nsubj": 4.0, "nsubjpass": 4.0, "dobj": 2.0, "pobj": 1.0, "poss": 1.0}
_KINDS_OF_NOUNS = (
    (words("film movie book novel album song series show game play"), frozenset({"group", "place", "thing", "any"})),
    (words("country state city town village island region"), frozenset({"place"})),
    (GROUP_NOUNS | words("label studio museum magazine newspaper network"), frozenset({"group"})),
)
"""What kind of name a common noun may speak of; a work's name is any kind of name but a person's."""


def pronoun(
    referents: Sequence[Referent], sentence: int, token: Token, mention: Mention, here: Mapping[int, Referent]
) -> Referent | None:
    """Whom a pronoun of the numbered sentence means; `here` are the sentence's referents by token."""
    wanted = _KINDS[mention.form]
    if mention.expletive:
        return None
    barred = [*_coarguments(token, here), *contrasted(token, here)]
    fits = [r for r in referents if _agrees(r, wanted, sentence) and not any(r is b for b in barred)]
    return max(fits, key=lambda r: (_weight(r, token, wanted, sentence, here), r.sentence, r.position), default=None)


def definite(referents: Sequence[Referent], sentence: int, made: Referent, token: Token) -> Referent | None:
    """What a definite noun of the numbered sentence means, which is `made` where it means nothing known."""
    if not _alone(token):
        return None
    noun = token.lemma_.casefold()
    for referent in reversed(referents):
        if noun in referent.said and referent.plural == made.plural:
            return referent
    groups = [r for r in referents if r.named and r.kind == "group"]
    if noun in GROUP_NOUNS and len(groups) == 1 and not made.plural:
        return groups[0]
    return _topic(referents, sentence, noun) if token.dep_ in SUBJECTS and not made.plural else None


def namesake(referents: Sequence[Referent], token: Token, mention: Mention) -> Referent | None:
    """The only name that ends with a bare definite noun, if the text is about it: "the canal" after "the Calder Canal
    was begun"."""
    if mention.plural or any(child.dep_ not in {"det", "punct"} for child in token.children):
        return None
    called = [r for r in referents if r.named and r.name.casefold().endswith(f" {mention.lemma}")]
    return called[0] if len(called) == 1 and called[0].role in SUBJECTS else None


def repeated(referents: Sequence[Referent], mention: Mention) -> Referent | None:
    """The one thing of its kind that was said to be something's: "the captain" after "the captain of the freighter"."""
    same = [r for r in referents if mention.lemma in r.said and r.plural == mention.plural]
    return same[0] if len(same) == 1 and same[0].name.startswith(f"{mention.name} of ") else None


def _topic(referents: Sequence[Referent], sentence: int, noun: str) -> Referent | None:
    """What "the film" or "the country" is in a text about one: the only such thing that was lately a subject."""
    kinds = next((kinds for nouns, kinds in _KINDS_OF_NOUNS if noun in nouns), frozenset())
    lately = [r for r in referents if r.named and r.role in SUBJECTS and sentence - r.sentence <= 3]
    fits = [r for r in lately if r.kind in kinds]
    return fits[0] if len(fits) == 1 else None


def _agrees(referent: Referent, kind: str, sentence: int) -> bool:
    if sentence - referent.sentence > (_REACH[kind] if referent.named else 2):
        return False
    if kind == "p":
        return referent.plural or referent.kind == "group"
    if referent.plural:
        return False
    if kind == "n":
        return referent.kind != "person"
    return referent.human and referent.kind in {"person", "any"} and referent.gender in {kind, None}


def _weight(referent: Referent, token: Token, kind: str, sentence: int, here: Mapping[int, Referent]) -> float:
    person = kind in "mf"
    weight = _ROLES.get(referent.role, 0.0) + min(referent.count, 5) * 0.6
    weight += (4.0 if person else 1.0) * referent.named - 2.0 * (sentence - referent.sentence)
    if person and referent.gender is None:
        weight -= 1.5
    if kind == "p" and referent.named and referent.said & GROUP_NOUNS:
        weight += 4.0
    if token.tag_ == "PRP$" and any(r is referent for r in _clause_subjects(token, here)):
        weight += 2.0
    return weight


def _alone(token: Token) -> bool:
    """ "the company", with nothing after it, owned by it or more than one of it: what the rules can tell."""
    children = list(token.children)
    return any(c.lower_ in {"the", "this"} for c in children) and not any(c.dep_ == "case" for c in children)


def _coarguments(token: Token, here: Mapping[int, Referent]) -> list[Referent]:
    """Referents that a plain object pronoun cannot mean: the subjects of its verb."""
    if token.tag_ == "PRP$" or token.dep_ in SUBJECTS or token.lower_.endswith(("self", "selves")):
        return []
    return list(_clause_subjects(token, here))


def contrasted(token: Token, here: Mapping[int, Referent]) -> list[Referent]:
    """Referents that the subject of a clause is set against before it: "Unlike the S2, it has a display"."""
    if token.dep_ not in SUBJECTS:
        return []
    preps = [c for c in token.head.children if c.lower_ in _AGAINST and c.i < token.i]
    return [here[t.i] for prep in preps for t in prep.subtree if t.i in here]


def _clause_subjects(token: Token, here: Mapping[int, Referent]) -> Iterator[Referent]:
    verb = next((a for a in token.ancestors if is_verb(a)), None)
    for child in verb.children if verb is not None else ():
        if child.dep_ in SUBJECTS and child.i in here:
            yield here[child.i]
