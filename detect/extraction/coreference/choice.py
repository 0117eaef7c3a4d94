"""Which of the things spoken of a pronoun means: what the model is sure of; without a model, what the rules choose.

Rejected: to believe an unsure model where the rules agree, or where its choice is the subject of the sentence before;
of what that adds for "it" less than six in ten were right (held-out texts of training/coref/texts). Nor is a pronoun
that opens a list's item read as the text's topic against the model: that made three of 490 wrong and none right.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from claimgraph.detect.extraction.assertion import quoted
from claimgraph.detect.extraction.coreference import rules
from claimgraph.detect.extraction.coreference.candidates import Antecedents, Key
from claimgraph.detect.extraction.coreference.grammar import holds, is_bound, modified, ranks, tells_of_event
from claimgraph.detect.extraction.coreference.mentions import Form, Mention
from claimgraph.detect.extraction.coreference.rules import Referent
from claimgraph.detect.extraction.coreference.topic import Topic
from claimgraph.detect.text.syntax import SUBJECTS

if TYPE_CHECKING:
    from spacy.tokens import Token


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
        if antecedents is None:
            topic = self._topic.of(mention) if self._topic.opens_item(token) else None
            return topic or self._by_rules(token, mention, here)
        return self._again(token) or antecedents.of(mention, self._known, self._allows(token, mention, here))

    def _cannot_be(self, token: Token, mention: Mention, chosen: Referent) -> bool:
        if not rules.may_be(mention.form, chosen) or is_bound(token):
            return True
        if tells_of_event(token, chosen) or holds(token, chosen):
            return True
        away = token.dep_ in SUBJECTS and chosen.sentence < self._sentence and not self._topic.opens_item(token)
        if self._unread and mention.form is Form.IT and away:
            return True
        return chosen.source.start <= mention.start < chosen.source.end or ",," in chosen.name

    def _by_rules(self, token: Token, mention: Mention, here: dict[int, Referent]) -> Referent | None:
        return rules.pronoun(self._referents, self._sentence, token, mention, here)

    def _allows(self, token: Token, mention: Mention, here: dict[int, Referent]) -> Callable[[Referent], bool]:
        """Whom grammar lets a pronoun speak of."""
        noun = modified(token)
        against = [*rules.contrasted(token, here), *([here[noun.i]] if noun is not None and noun.i in here else [])]
        inside, opens = quoted(token), self._topic.opens_item(token)

        def allows(known: Referent) -> bool:
            said = not known.named and known.sentence == self._sentence and quoted(token.doc[known.position])
            apart = any(known is one for one in against) or (opens and self._topic.is_of_other_item(known))
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
