"""Which of the things spoken of a pronoun means: the model's choice where it is sure, or where the rules agree."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from claimgraph.detect.extraction.assertion import quoted
from claimgraph.detect.extraction.coreference import rules
from claimgraph.detect.extraction.coreference.candidates import Antecedents, Key
from claimgraph.detect.extraction.coreference.grammar import (
    continues,
    fits,
    holds,
    is_same_person,
    ranks,
    tells_of_event,
)
from claimgraph.detect.extraction.coreference.mentions import Form, Mention
from claimgraph.detect.extraction.coreference.rules import Referent
from claimgraph.detect.extraction.coreference.topic import Topic
from claimgraph.detect.text.syntax import SUBJECTS
from claimgraph.detect.text.words import is_person_noun

if TYPE_CHECKING:
    from spacy.tokens import Token

_CONTINUED = 0.3
"""The least chance at which "it" or "they" is what the sentence before was about."""
AGREED = {Form.HE: 0.2, Form.SHE: 0.2, Form.IT: 0.4}
"""The least chance at which the model's choice is taken if the rules choose the same."""
_ALONE = 0.5
"""The least chance at which "it" as a subject is a subject before it, whatever the rules choose, if nothing else has
a chance of _RIVAL."""
_RIVAL = 0.25
_BOTH = 0.75
"""The least chance at which "it" is what model and rules choose, wherever it stands."""
_FEW = 0.4
"""The least chance at which "they" is what the model chooses, if it is _TIMES as likely as anything else."""
_TIMES = 4
_LATELY = 5
"""Sentences back in which there is nobody else for "she" to be."""
_NO_PART = 0.9
"""The least chance at which "it" is what may be a part of what the text is about, not that."""
_SURE = 0.8
"""The least chance at which "it" is what was taken for a person, and "its" not what the sentence before was about."""


class PronounChoice:
    """What was spoken of up to a sentence, and the choice among it."""

    def __init__(self) -> None:
        self._referents: list[Referent] = []
        self._known: dict[Key, Referent] = {}
        self._sentence = 0
        self._centre: Referent | None = None
        self._unread = False
        self._topic = Topic()

    def _chosen(
        self, token: Token, mention: Mention, here: dict[int, Referent], antecedents: Antecedents[Referent] | None
    ) -> Referent | None:
        """The referent that a pronoun means; None where that is open. Without `antecedents` the rules choose."""
        if self._topic.opens_item(token) and (topic := self._topic.of(mention)) is not None:
            return topic
        if antecedents is None:
            return self._by_rules(token, mention, here)
        chosen = self._again(token) or antecedents.of(mention, self._known, self._allows(token, mention, here))
        if chosen is not None and chosen is not self._centre and self._may_own_centre(token, mention):
            shares = antecedents.shares(mention, self._known)
            chosen = chosen if any(r is chosen and share >= _SURE for r, share in shares) else None
        chosen = chosen or self._likely(token, mention, here, antecedents)
        chosen = chosen or self._topic.as_whole(token, mention) or self._led(token)
        if chosen is None or mention.form is not Form.IT or not self._topic.may_own(chosen):
            return chosen
        if (whole := self._topic.as_whole(token, mention)) is not None:
            return whole
        shares = antecedents.shares(mention, self._known)
        return chosen if any(r is chosen and share >= _NO_PART for r, share in shares) else None

    def _cannot_be(self, token: Token, mention: Mention, chosen: Referent) -> bool:
        if not rules.may_be(mention.form, chosen) or tells_of_event(token, chosen) or holds(token, chosen):
            return True
        away = token.dep_ in SUBJECTS and chosen.sentence < self._sentence and not self._topic.opens_item(token)
        if self._unread and mention.form is Form.IT and away:
            return True
        return chosen.source.start <= mention.start < chosen.source.end or ",," in chosen.name

    def _likely(
        self, token: Token, mention: Mention, here: dict[int, Referent], antecedents: Antecedents[Referent]
    ) -> Referent | None:
        """The model's choice where it is unsure, if it is what the sentence before was about or the rules choose it.

        A text goes on about its subject (Grosz, Joshi and Weinstein 1995), which the model alone does not trust.
        """
        allowed = self._allows(token, mention, here)
        shares = sorted(antecedents.shares(mention, self._known, allowed), key=lambda share: -share[1])
        if not shares or mention.expletive:
            return None
        best, chance = shares[0]
        unlike = best.kind == "person" and (" " in best.name or best.gender is not None or best is not self._centre)
        if mention.form is Form.IT and best.kind == "person" and chance < (_SURE if unlike else _ALONE):
            return None
        if self._is_only_person(token, mention):
            return self._centre
        if mention.form is Form.THEY and chance >= _FEW and all(other * _TIMES <= chance for _, other in shares[1:]):
            return best if best.plural or (best.named and best.kind != "person") else None
        if best is self._centre and chance >= _CONTINUED and continues(token, mention, best):
            return best
        if best is self._centre and chance >= _ALONE and is_same_person(token, mention, best):
            return best
        if mention.form is Form.IT and chance >= _BOTH and self._by_rules(token, mention, here) is best:
            return best
        apart = mention.form is Form.IT and all(share < _RIVAL for _, share in shares[1:])
        if apart and best is self._centre and chance >= _ALONE and self._by_rules(token, mention, here) is best:
            return best
        if chance < AGREED.get(mention.form, 1.0) or not fits(token, mention, best):
            return None
        return best if (apart and chance >= _ALONE) or self._by_rules(token, mention, here) is best else None

    def _led(self, token: Token) -> Referent | None:
        """What somebody leads: "its" before a word for a person, at the beginning of a sentence, is the one
        group that the sentence before speaks of."""
        centre = self._centre
        apart = centre is not None and (centre.plural or (centre.kind == "person" and " " in centre.name))
        if token.lower_ != "its" or not token.is_sent_start or not apart or not is_person_noun(token.head.lemma_):
            return None
        groups = [r for r in self._referents if r.kind == "group" and r.sentence == self._sentence - 1 and not r.plural]
        return groups[0] if len(groups) == 1 else None

    def _is_only_person(self, token: Token, mention: Mention) -> bool:
        """Return whether "he" or "she" goes on about the one person by full name whom the text has spoken of lately."""
        centre = self._centre
        if centre is None or not is_same_person(token, mention, centre) or " " not in centre.name:
            return False
        people = [r for r in self._referents if r.kind == "person" and self._sentence - r.sentence <= _LATELY]
        return rules.may_be(mention.form, centre) and people == [centre]

    def _may_own_centre(self, token: Token, mention: Mention) -> bool:
        """Whether "its" at the beginning of a sentence may speak of what the sentence before was about."""
        centre = self._centre
        thing = centre is not None and (centre.kind != "person" or " " not in centre.name)
        group = centre is not None and centre.named and thing and not centre.plural
        opens = bool(token.is_sent_start) and token.tag_ == "PRP$" and mention.form is Form.IT
        return opens and group

    def _by_rules(self, token: Token, mention: Mention, here: dict[int, Referent]) -> Referent | None:
        return rules.pronoun(self._referents, self._sentence, token, mention, here)

    def _allows(self, token: Token, mention: Mention, here: dict[int, Referent]) -> Callable[[Referent], bool]:
        """Whom grammar lets a pronoun speak of."""
        against = rules.contrasted(token, here)
        inside, opens = quoted(token), self._topic.opens_item(token)

        def allows(known: Referent) -> bool:
            said = not known.named and known.sentence == self._sentence and quoted(token.doc[known.position])
            apart = any(known is one for one in against) or (
                opens and self._topic.is_of_other_item(known, self._sentence)
            )
            agrees = mention.form is not Form.IT or not known.plural or known.named
            return agrees and rules.may_be(mention.form, known) and said <= inside and not apart

        return allows

    def _again(self, token: Token) -> Referent | None:
        """What "it" is said to be the third of: the last such thing that was spoken of."""
        if token.lower_ != "it" or token.dep_ != "nsubj" or token.head.lemma_ != "be":
            return None
        told = [c for c in token.head.children if c.dep_ == "attr" and any(map(ranks, c.children))]
        same = (r for r in reversed(self._known.values()) if told and told[0].lemma_ in r.said and not r.plural)
        return next(same, None)
