"""Who "he" is: pronouns, surnames and "the company" resolved within a text.

By rule, after Lappin and Leass (1994): candidates that agree in gender, number and animacy are weighed by grammatical
role, recency and how often they were spoken of. Where a model has chosen antecedents, those take the place of the
weights; what is one thing under two names stays with the rules. The state is a list of plain values, so a text is read
paragraph by paragraph and of any length.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from claimgraph.detect.extraction.coreference.antecedents import Antecedents, Key, Link
from claimgraph.detect.extraction.coreference.candidates import kind
from claimgraph.detect.extraction.coreference.mentions import Form, Mention, entity_of
from claimgraph.detect.text.gendered_names import GROUP_NOUNS, words
from claimgraph.detect.text.syntax import SUBJECTS, is_verb, phrase
from claimgraph.kgstore.model import Span

if TYPE_CHECKING:
    from spacy.tokens import Token

    from claimgraph.detect.text.parse import Paragraph

_KINDS = {Form.HE: "m", Form.SHE: "f", Form.IT: "n", Form.THEY: "p"}
_SPEAKER = frozenset({"i", "me", "my", "myself"})
_KINDS_OF_NOUNS = (
    (words("film movie book novel album song series show game play"), frozenset({"group", "place", "thing", "any"})),
    (words("country state city town village island region"), frozenset({"place"})),
    (GROUP_NOUNS | words("label studio museum magazine newspaper network"), frozenset({"group"})),
)
"""What kind of name a common noun may speak of; a work's name is any kind of name but a person's."""
_SUFFIXES = frozenset(
    {"inc", "corp", "corporation", "ltd", "limited", "company", "co", "plc", "llc", "fc", "club", "group"}
)
_REACH = {"m": 12, "f": 12, "n": 3, "p": 3}
_MEMORY = 200
_NEAR = 5_000
"""Characters of a text in which the referent of a mention is looked up."""
_FADES = 5
"""Sentences after which a name, and what has none, is forgotten."""
_ROLES = {"nsubj": 4.0, "nsubjpass": 4.0, "dobj": 2.0, "pobj": 1.0, "poss": 1.0}


@dataclass(slots=True)
class Referent:
    """Something the text speaks of. `kind` is person, group, place, thing or any; `said` the nouns it was called by,
    `source` where its name stands."""

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


class Discourse:
    """What a text has spoken of so far. Feed paragraphs in order; one object a text."""

    def __init__(self) -> None:
        self._referents: list[Referent] = []
        self._known: dict[Key, Referent] = {}
        self._sentence = 0
        self._links: list[Link] = []

    def read(
        self,
        paragraph: Paragraph,
        mentions: Sequence[tuple[Token, Mention]],
        antecedents: Antecedents[Referent] | None = None,
    ) -> dict[int, str]:
        """Words to put in place of tokens, by token number; "" for tokens that their neighbour speaks for.

        `mentions` are those of the paragraph. Without `antecedents`, which a model chose, the rules choose.
        """
        names: dict[int, str] = {}
        near = paragraph.starts[0] - _NEAR
        self._known = {key: referent for key, referent in self._known.items() if key[0] >= near}
        spoken = {token.i: mention for token, mention in mentions if mention.form is not Form.PAIR}
        pairs = {token.i: mention for token, mention in mentions if mention.form is Form.PAIR}
        for sentence in paragraph.doc.sents:
            self._sentence += 1
            self._forget()
            here: dict[int, Referent] = {}
            for token in sentence:
                mention = spoken.get(token.i)
                if mention is None:
                    if token.lower_ in _SPEAKER:
                        self._speaker(token, names)
                elif mention.form.pronoun:
                    self._pronoun(token, mention, here, names, antecedents)
                else:
                    self._noun(token, mention, here, names, antecedents)
                if token.i in pairs:
                    self._together(token, pairs[token.i])
        return names

    def take_links(self) -> tuple[Link, ...]:
        """The antecedents that were chosen since the last call, in text order."""
        found, self._links = tuple(self._links), []
        return found

    def _link(self, mention: Mention, known: Referent) -> None:
        renamed = mention.form.pronoun or (known.named and mention.name != known.name)
        self._links.append(Link(str(kind(mention)), mention.span, known.source, renamed))

    def _forget(self) -> None:
        """Drop what was not spoken of for long, so that a long text costs no more a sentence than a short one."""
        self._referents = [
            r for r in self._referents if self._sentence - r.sentence <= (_MEMORY if r.named else _FADES)
        ]

    def _pronoun(
        self,
        token: Token,
        mention: Mention,
        here: dict[int, Referent],
        names: dict[int, str],
        antecedents: Antecedents[Referent] | None,
    ) -> None:
        chosen = antecedents.of(mention, self._known) if antecedents else self._likely(token, mention, here)
        if chosen is None:
            return
        if mention.form in {Form.HE, Form.SHE}:
            chosen.kind, chosen.gender = "person", mention.gender
        self._touch(chosen, token)
        here[token.i] = self._known[mention.key] = chosen
        self._link(mention, chosen)
        names[token.i] = _possessive(chosen.name) if token.tag_ == "PRP$" else chosen.name

    def _likely(self, token: Token, mention: Mention, here: dict[int, Referent]) -> Referent | None:
        """Whom a pronoun means by the rules."""
        wanted = _KINDS[mention.form]
        if mention.expletive:
            return None
        barred = _coarguments(token, here)
        fits = [r for r in self._referents if self._agrees(r, wanted) and not any(r is b for b in barred)]
        return max(fits, key=lambda r: (self._weight(r, token, wanted, here), r.sentence, r.position), default=None)

    def _speaker(self, token: Token, names: dict[int, str]) -> None:
        """ "I" in a quotation is who says it."""
        for verb in token.ancestors:
            if verb.dep_ == "ccomp" and verb.head.lemma_ in {"say", "tell", "add", "write", "explain", "admit"}:
                for child in verb.head.children:
                    if child.dep_ == "nsubj" and child.ent_type_ == "PERSON":
                        name = _full(self._referents, entity_of(child).text.strip())
                        names[token.i] = _possessive(name) if token.tag_ == "PRP$" else name
                return

    def _noun(
        self,
        token: Token,
        mention: Mention,
        here: dict[int, Referent],
        names: dict[int, str],
        antecedents: Antecedents[Referent] | None,
    ) -> None:
        made = _referent(token, mention, self._sentence)
        known = self._same(made, token, mention, antecedents)
        if known is None:
            self._referents.append(made)
            known = made
        else:
            self._rename(token, made, known, names)
            self._link(mention, known)
            self._touch(known, token)
        here[token.i] = self._known[mention.key] = known
        self._learn(token, made, here)

    def _together(self, token: Token, mention: Mention) -> None:
        """ "X and Y", whom "they" may mean."""
        made = _referent(token, mention, self._sentence)
        self._known[mention.key] = made
        self._referents.append(made)

    def _same(
        self, made: Referent, token: Token, mention: Mention, antecedents: Antecedents[Referent] | None
    ) -> Referent | None:
        """The referent a repeated or shortened name, or a definite noun, speaks of."""
        if made.named:
            same = [r for r in self._referents if r.named and _short_for(made, r)]
            if antecedents is not None and not any(r.name == made.name for r in same):
                same = self._allowed(same, mention, antecedents)
            return max(same, key=lambda r: r.count, default=None)
        if token.tag_ == "NNP" and not any(child.dep_ == "compound" for child in token.children):
            people = (r for r in reversed(self._referents) if r.named and r.kind == "person")
            return next((r for r in people if r.name.split()[-1] == token.text), None)
        if not mention.definite:
            return None
        if antecedents is not None:
            return antecedents.of(mention, self._known)
        return self._definite(made, token) if _alone(token) else None

    def _allowed(self, same: list[Referent], mention: Mention, antecedents: Antecedents[Referent]) -> list[Referent]:
        """Of the referents that a name may shorten, the one that the model chose; all where it saw none of them."""
        seen = [referent for referent, _ in antecedents.shares(mention, self._known)]
        if not any(r is other for r in same for other in seen):
            return same
        chosen = antecedents.of(mention, self._known)
        return [r for r in same if r is chosen]

    def _definite(self, made: Referent, token: Token) -> Referent | None:
        """What a definite noun means by the rules."""
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
        tokens = list(entity_of(token)) if made.named else list(phrase(token))
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
            described.source = made.source
        former = here[token.i]
        self._referents = [r for r in self._referents if r is not former]
        self._known = {key: described if r is former else r for key, r in self._known.items()}
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

    def _weight(self, referent: Referent, token: Token, kind: str, here: dict[int, Referent]) -> float:
        person = kind in "mf"
        weight = _ROLES.get(referent.role, 0.0) + min(referent.count, 5) * 0.6
        weight += (4.0 if person else 1.0) * referent.named - 2.0 * (self._sentence - referent.sentence)
        if person and referent.gender is None:
            weight -= 1.5
        if kind == "p" and referent.named and referent.said & GROUP_NOUNS:
            weight += 4.0
        if token.tag_ == "PRP$" and any(r is referent for r in _clause_subjects(token, here)):
            weight += 2.0
        return weight

    def _touch(self, referent: Referent, token: Token) -> None:
        referent.sentence, referent.position, referent.role = self._sentence, token.i, _role(token)
        referent.count += 1


def _role(token: Token) -> str:
    """Its grammatical role; that of a subject for its owner: "Emma's genre is comedy" and "The genre of Emma is comedy"
    are about Emma."""
    of = token.head if token.dep_ == "poss" else token.head.head if token.head.lower_ == "of" else None
    owns = of is not None and token.dep_ in {"poss", "pobj"} and of.dep_ in SUBJECTS
    return "nsubj" if owns else token.dep_


def _referent(token: Token, mention: Mention, sentence: int) -> Referent:
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
        role=_role(token),
    )
    if not named and mention.form is not Form.PAIR:
        made.said.add(mention.lemma)
    return made


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


def _alone(token: Token) -> bool:
    """ "the company", with nothing after it, owned by it or more than one of it: what the rules can tell."""
    children = list(token.children)
    return any(c.lower_ in {"the", "this"} for c in children) and not any(c.dep_ == "case" for c in children)


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
