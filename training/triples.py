"""Groups of pairs whose claims are triples that texts state: with other ends, another relation, turned round, unsaid.

Re-DocRED and FewRel say what their texts state. Of CoDEx's facts those are taken whose tail and a word for whose
relation stand in one sentence of the introduction. No gold is complete, so a triple that is known elsewhere is never
made a negative, and of relations that texts leave unsaid (a place in a place) the other tail comes from another text.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random

from claimgraph.detect.compare.relations import VERBALISERS
from claimgraph.detect.text.words import content, same_name
from claimgraph.kgstore.model import Triple
from training.contexts import Contexts, Premise, words
from training.pair import NOT_ENTAILMENT, Pair
from training.relations import CUES, DEMONYMS, INVERSE, NESTED, ONE_VALUE, SYMMETRIC, UNCLEAR, confused
from training.sentences import LEAST, Group
from training.swaps import Lexicon, exchanged
from training.texts import Named, Stated, Text

SOURCE = "made-triple"
MOST = 350
"""Triples of a relation and source, so that places in places do not outweigh all others."""


def cued(text: Text, facts: Sequence[Triple], known: Lexicon) -> Text:
    """An introduction with those facts of its entity that a sentence of it seems to state, and the names in it."""
    stated = [
        Stated(fact.subject, fact.predicate, fact.object, (row,))
        for fact in facts
        if (row := _row(text, fact)) is not None
    ]
    named = tuple(Named((name,), kind) for name, kind in dict(known.names(" ".join(text.sentences))).items())
    return replace(text, named=named, triples=tuple(stated))


def _row(text: Text, fact: Triple) -> int | None:
    cue = CUES.get(fact.predicate)
    if cue is None:
        return None
    tail = DEMONYMS.get(fact.object, "$^") if fact.predicate == "country of citizenship" else re.escape(fact.object)
    pattern = re.compile(rf"(?<![\w-]){tail}(?![\w-])")
    for row, said in enumerate(text.sentences[: 1 if fact.predicate in _FIRST else None]):
        if pattern.search(said) and re.search(cue.replace("TAIL", tail), said):
            return row
    return None


_FIRST = frozenset({"occupation", "country of citizenship", "genre", "movement"})
"""Said of the entity itself in an introduction's first sentence, of others later."""


@dataclass(frozen=True, slots=True)
class _World:
    """What is known over all texts: tails of relations, and by names in lower case which triples hold."""

    tails: Mapping[str, Sequence[str]]
    known: frozenset[tuple[str, str, str]]

    def holds(self, head: str, relation: str, tail: str) -> bool:
        return (head.lower(), relation, tail.lower()) in self.known


def groups(texts: Sequence[Text], facts: Sequence[Triple], random: Random) -> Iterator[Group]:
    """Of each text's triples; `facts` are known to hold as well."""
    contexts = Contexts(texts, random)
    tails = defaultdict(list)
    known = {(fact.subject.lower(), fact.predicate, fact.object.lower()) for fact in facts}
    for text in texts:
        for one in text.triples:
            tails[one.relation].append(one.tail)
            known |= {(a.lower(), one.relation, b.lower()) for a in text.names(one.head) for b in text.names(one.tail)}
    world = _World(tails, frozenset(known))
    for text, stated in _some(texts, random):
        maker = _Maker(text, stated, world, random)
        if (premise := maker.premise(contexts)) is not None:
            yield from maker.groups(premise)


def _some(texts: Sequence[Text], random: Random) -> Iterator[tuple[Text, Stated]]:
    every = [(text, one) for text in texts for one in text.triples if one.relation not in UNCLEAR]
    every = [(text, one) for text, one in every if (text.source, one.relation) != ("fewrel", "follows")]
    random.shuffle(every)
    seen: Counter[tuple[str, str]] = Counter()
    for text, stated in every:
        seen[text.source, stated.relation] += 1
        if seen[text.source, stated.relation] <= MOST:
            yield text, stated


class _Maker:
    """Of one triple of one text."""

    def __init__(self, text: Text, stated: Stated, world: _World, random: Random) -> None:
        self._text, self._world, self._random = text, world, random
        self._fact = Triple(stated.head, stated.relation, stated.tail)
        self._evidence = stated.evidence
        self._heads, self._tails = text.names(stated.head), text.names(stated.tail)
        self._say = VERBALISERS[random.choice(["joined", "sentence"])]

    def premise(self, contexts: Contexts) -> Premise | None:
        """A context that holds the evidence and names both ends; None where there is none."""
        both = [row for row, said in enumerate(self._text.sentences) if self._in(said, True) and self._in(said, False)]
        near = self._fact.predicate in NESTED or not self._evidence
        support = [row for row in both if not self._evidence or row in self._evidence][:1] if near else self._evidence
        found = contexts.holding(self._text, support, named=self._text.source == "codex") if support else None
        if found is None or not self._in(found.text, False):
            return None
        return found if self._text.source == "codex" or self._in(found.text, True) else None

    def groups(self, premise: Premise) -> Iterator[Group]:
        """Two of those that can be made."""
        makers: list[Callable[[Premise], Group | None]] = [self._swapped, self._swapped, self._headed]
        makers += [self._related, self._turned, self._inverse, self._deleted]
        self._random.shuffle(makers)
        if self._random.random() < 0.5:
            makers.insert(0, self._deleted)
        made = [group for make in makers if (group := make(premise))]
        yield from list({id(group): group for group in made}.values())[:2]

    def _pair(self, premise: Premise | str, claim: Triple, label: str) -> Pair:
        text = premise if isinstance(premise, str) else premise.text
        return Pair(text, self._say(claim), label, SOURCE, self._text.id)

    def _swapped(self, premise: Premise) -> Group | None:
        """Another tail; and, where names can be exchanged, with the names of the text exchanged."""
        fact = self._fact
        fitting = [t for t in self._others(self._tails, fact.object) if not self._known(fact.predicate, tail=t)]
        if not fitting:
            return None
        wrong = replace(fact, object=fitting[0])
        label = "contradiction" if fact.predicate in ONE_VALUE else NOT_ENTAILMENT
        return self._with_exchanged(premise, wrong, fact.object, wrong.object, label)

    def _headed(self, premise: Premise) -> Group | None:
        """Another head, from the same text."""
        fact = self._fact
        some = self._near(self._heads, fact.subject) if fact.predicate not in NESTED else []
        fitting = [h for h in some if not self._known(fact.predicate, head=h) and h not in self._tails]
        if not fitting or self._text.source == "codex":
            return None
        wrong = replace(fact, subject=fitting[0])
        return self._with_exchanged(premise, wrong, fact.subject, wrong.subject, NOT_ENTAILMENT)

    def _with_exchanged(self, premise: Premise, wrong: Triple, old: str, new: str, label: str) -> Group:
        made = [self._pair(premise, self._fact, "entailment"), self._pair(premise, wrong, label)]
        other = exchanged(premise.text, old, new)
        if (
            other is not None
            and other != premise.text
            and len(self._text.names(old)) == 1 == len(self._text.names(new))
        ):
            made += [self._pair(other, wrong, "entailment"), self._pair(other, self._fact, label)]
        return made

    def _related(self, premise: Premise) -> Group | None:
        fact = self._fact
        wrong = [one for one in confused(fact.predicate) if not self._known(one)]
        if not wrong:
            return None
        other = replace(fact, predicate=self._random.choice(wrong))
        return [self._pair(premise, fact, "entailment"), self._pair(premise, other, NOT_ENTAILMENT)]

    def _turned(self, premise: Premise) -> Group | None:
        """Only between things of a kind: "Warsaw place of birth Curie" would be read as it is meant."""
        fact = self._fact
        kinds = [next((n.kind for n in self._text.named if x in n.names), None) for x in (fact.subject, fact.object)]
        alike = kinds[0] == kinds[1] is not None or fact.predicate in ("follows", "part of")
        if not alike or fact.predicate in SYMMETRIC or self._holds_turned():
            return None
        turned = Triple(fact.object, fact.predicate, fact.subject)
        return [self._pair(premise, fact, "entailment"), self._pair(premise, turned, NOT_ENTAILMENT)]

    def _holds_turned(self) -> bool:
        return any(self._world.holds(t, self._fact.predicate, h) for h in self._heads for t in self._tails)

    def _inverse(self, premise: Premise) -> Group | None:
        inverse = INVERSE.get(self._fact.predicate)
        if inverse is None:
            return None
        return [self._pair(premise, Triple(self._fact.object, inverse, self._fact.subject), "entailment")]

    def _deleted(self, premise: Premise) -> Group | None:
        """Without the sentences that name the tail, where the head is still spoken of."""
        rest = premise.without({row for row, said in premise.said.items() if self._in(said, False)})
        named = {word for name in self._tails for word in content(name)} - {w for n in self._heads for w in content(n)}
        if words([rest.text]) < LEAST or not rest.said or named & set(content(rest.text)):
            return None
        if not (self._in(rest.text, True) or self._text.source == "codex"):
            return None
        return [self._pair(premise, self._fact, "entailment"), self._pair(rest, self._fact, "neutral")]

    def _others(self, names: Sequence[str], name: str) -> list[str]:
        """Fitting ends, those of the same text first, two times in three."""
        relation = self._fact.predicate
        near = [] if relation in NESTED or self._text.source == "codex" else self._near(names, name)
        every = self._world.tails[relation]
        said = " ".join(self._text.sentences)
        far = [one for one in self._random.sample(every, min(10, len(every))) if _apart(one, names) and one not in said]
        return [*near, *far] if self._random.random() < 0.67 else [*far, *near]

    def _near(self, names: Sequence[str], name: str) -> list[str]:
        kind = next((one.kind for one in self._text.named if name in one.names), None)
        found = [one.names[0] for one in self._text.named if one.kind == kind and _apart(one.names[0], names)]
        found = [one for one in found if _apart(one, self._heads) and _apart(one, self._tails)]
        self._random.shuffle(found)
        return found

    def _known(self, relation: str, head: str | None = None, tail: str | None = None) -> bool:
        heads = self._text.names(head) if head else self._heads
        tails = self._text.names(tail) if tail else self._tails
        return any(self._world.holds(h, relation, t) for h in heads for t in tails)

    def _in(self, said: str, head: bool) -> bool:
        names = self._heads if head else self._tails
        if self._text.source == "codex" and not head and self._fact.predicate == "country of citizenship":
            names = (DEMONYMS[self._fact.object], self._fact.object)
        return any(name in said and re.search(rf"(?<!\w){re.escape(name)}(?!\w)", said) for name in names)


_ADJECTIVE = re.compile(r"(?:ese|ish|[a-z]ian|ican|uban|French|Dutch|Greek|Swiss|Thai|Czech|Israeli)$")


def _apart(one: str, names: Sequence[str]) -> bool:
    """Whether a name shares no word with any of a thing's, and is not an adjective for a noun or a noun for it."""
    if bool(_ADJECTIVE.search(one)) != bool(_ADJECTIVE.search(names[0])):
        return False
    return not any(same_name(one, name) or set(content(one)) & set(content(name)) for name in names)
