"""Which of the things spoken of a pronoun means: what the model is sure of; without a model, what the rules choose.

Rejected: to believe an unsure model where the rules agree, or where its choice is the subject of the sentence before;
of what that adds for "it" less than six in ten were right (held-out texts of training/coref/texts). Nor is a pronoun
that opens a list's item read as the text's topic against the model: that made three of 490 wrong and none right.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
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


_OWNED = frozenset({"theirs", "hers"})
"""Pronouns that mean a thing of somebody's, not the somebody: "Sunflowers open theirs"."""


@dataclass(slots=True)
class Spoken:
    """What a text has spoken of up to a sentence. `known` has the referents of mentions, `centre` is what the sentence
    before is about, `unread` tells that it has no verb.
    """

    referents: list[Referent] = field(default_factory=list)
    known: dict[Key, Referent] = field(default_factory=dict)
    topic: Topic = field(default_factory=Topic)
    sentence: int = 0
    centre: Referent | None = None
    unread: bool = False


def chosen(
    spoken: Spoken,
    token: Token,
    mention: Mention,
    here: dict[int, Referent],
    antecedents: Antecedents[Referent] | None,
) -> Referent | None:
    """Return the referent that a pronoun means; None where that is open. Without `antecedents` the rules choose."""
    if antecedents is None:
        topic = spoken.topic.of(mention) if spoken.topic.opens_item(token) else None
        found = topic or rules.pronoun(spoken.referents, spoken.sentence, token, mention, here)
    else:
        allows = _allows(spoken, token, mention, here)
        found = _again(spoken, token) or antecedents.of(mention, spoken.known, allows)
    found = found or _of_label(spoken, token, here)
    return None if found is None or _cannot_be(spoken, token, mention, found) else found


def _cannot_be(spoken: Spoken, token: Token, mention: Mention, found: Referent) -> bool:
    if not rules.may_be(mention.form, found) or is_bound(token) or token.lower_ in _OWNED or _is_cleft(token):
        return True
    if tells_of_event(token, found) or holds(token, found) or _is_of_clause(token, found):
        return True
    if spoken.topic.opens_item(token) and token.is_lower and found is not spoken.topic.labelled:
        return True  # "- Long Sand: it lies west of the harbour" is of what stands before the colon
    away = token.dep_ in SUBJECTS and found.sentence < spoken.sentence and not spoken.topic.opens_item(token)
    if spoken.unread and mention.form is Form.IT and away:
        return True
    return found.source.start <= mention.start < found.source.end or ",," in found.name


def _is_of_clause(token: Token, found: Referent) -> bool:
    """Return whether "it" rather speaks of the clause that is the subject of its sentence: "What is left will keep for
    three days in the fridge, though it gets thicker"."""
    subjects = (c for verb in token.ancestors for c in verb.children if c.dep_ in {"csubj", "csubjpass"})
    clause = next((c for c in subjects if c.i < token.i), None)
    return token.lower_ == "it" and clause is not None and clause.i < found.position


def _of_label(spoken: Spoken, token: Token, here: dict[int, Referent]) -> Referent | None:
    """Return the name that an item is labelled with, for "it" as a subject, or owner of one, before which its sentence
    names nothing, as long as the item spoke of nothing else: "**Borea:** At 48 g, it is the lightest".
    """
    label, role = spoken.topic.labelled, rules.role_of(token)
    if label is None or label.plural or label.gender or token.lower_ not in {"it", "its"} or role not in SUBJECTS:
        return None
    before = any(known is not label and (known.named or known.role in SUBJECTS) for known in here.values())
    return None if before else label


def _is_cleft(token: Token) -> bool:
    """Return whether "it" only brings out a name, somebody or "this": "It was Dorn who confessed", "It was a vet, Ann,
    who", "It was this bridge that made her name"."""
    verb = token.head
    told = [c for c in verb.children if c.dep_ == "attr" and c.i > verb.i]
    told += [child for noun in told for child in noun.children if child.dep_ == "appos"]
    clauses = ((noun, child) for noun in told for child in noun.children if child.dep_ == "relcl")
    clefts = any(
        noun.tag_ in {"NNP", "NNPS"}
        or any(t.lower_ == "who" for t in child.children)
        or any(t.lower_ in {"this", "these"} and t.i < noun.i for t in noun.children)
        for noun, child in clauses
    )
    return token.lower_ == "it" and verb.lemma_ == "be" and clefts


def _allows(spoken: Spoken, token: Token, mention: Mention, here: dict[int, Referent]) -> Callable[[Referent], bool]:
    """Return whom grammar lets a pronoun speak of."""
    noun = modified(token)
    against = [*rules.contrasted(token, here), *([here[noun.i]] if noun is not None and noun.i in here else [])]
    inside, opens = quoted(token), spoken.topic.opens_item(token)

    def allows(known: Referent) -> bool:
        said = not known.named and known.sentence == spoken.sentence and quoted(token.doc[known.position])
        apart = any(known is one for one in against) or (opens and spoken.topic.is_of_other_item(known))
        agrees = mention.form is not Form.IT or not known.plural or known.named
        return agrees and rules.may_be(mention.form, known) and said <= inside and not apart

    return allows


def _again(spoken: Spoken, token: Token) -> Referent | None:
    """Return what "it" is said to be the third of: the last such thing that was spoken of."""
    if token.lower_ != "it" or token.dep_ != "nsubj" or token.head.lemma_ != "be":
        return None
    told = [c for c in token.head.children if c.dep_ == "attr" and any(map(ranks, c.children))]
    same = (r for r in reversed(spoken.known.values()) if told and told[0].lemma_ in r.said and not r.plural)
    return next(same, None)
