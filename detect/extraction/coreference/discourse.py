"""Who "he" is: pronouns, surnames and "the company" resolved within a text.

A model chooses the antecedents of pronouns, definite nouns and shortened names, or the rules do (rules.py); what is one
thing under two names follows from grammar either way. The state is a list of plain values, so a text is read paragraph
by paragraph and of any length.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from claimgraph.detect.extraction.coreference import rules
from claimgraph.detect.extraction.coreference.candidates import Antecedents, CoreferenceLink, kind
from claimgraph.detect.extraction.coreference.choice import Spoken, chosen
from claimgraph.detect.extraction.coreference.grammar import (
    described,
    plural_subject,
)
from claimgraph.detect.extraction.coreference.groups import (
    called_two,
    counted,
    couple,
    is_of_two,
    is_other_than_two,
    joined,
    speaks_of_couple,
    two_meant,
)
from claimgraph.detect.extraction.coreference.mentions import PRONOUNS, Form, Mention, entity_of
from claimgraph.detect.extraction.coreference.naming import called, called_topic, in_place, speaker
from claimgraph.detect.extraction.coreference.rules import Referent, of_phrase, referent_of, role_of, short_for
from claimgraph.detect.text.syntax import SUBJECTS, is_verb, phrase
from claimgraph.detect.text.words import GROUP_NOUNS

if TYPE_CHECKING:
    from spacy.tokens import Token

    from claimgraph.detect.text.parse import Paragraph

_SHORT = 4
"""Words and signs of a sentence up to which it may have no verb."""
_SPEAKER = frozenset({"i", "me", "my", "myself"})
_MEMORY = 200
_NEAR = 5_000
"""Characters of a text in which the referent of a mention is looked up."""
_AGREED = 0.4
"""The least chance of the one named referent that "the company" as a subject may speak of."""
_UNLIKELY = 0.1
"""The chance that all others have at most where only one is possible."""
_FADES = 5
"""Sentences after which a name, and what has none, is forgotten."""


class Discourse:
    """What a text has spoken of so far. Feed paragraphs in order; one object a text."""

    def __init__(self) -> None:
        self._spoken = Spoken()
        self._couple: tuple[Referent, Referent] | None = None
        self._told_of_couple = 0
        self._links: list[CoreferenceLink] = []

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
        written = paragraph.text[paragraph.place.start : paragraph.place.end].lstrip()
        self._spoken.topic.begin(written, self._spoken.sentence + 1, paragraph.text)
        near = paragraph.place.start - _NEAR
        self._spoken.known = {key: referent for key, referent in self._spoken.known.items() if key[0] >= near}
        meant = {token.i: mention for token, mention in mentions if mention.form is not Form.PAIR}
        pairs = {token.i: mention for token, mention in mentions if mention.form is Form.PAIR}
        for sentence in paragraph.doc.sents:
            self._spoken.sentence += 1
            self._forget()
            here: dict[int, Referent] = {}
            for token in sentence:
                mention = meant.get(token.i)
                if mention is None:
                    name = speaker(token, self._spoken.referents) if token.lower_ in _SPEAKER else self._two(token)
                    names |= {token.i: name} if name else {}
                elif mention.form.pronoun:
                    self._pronoun(token, mention, here, names, antecedents)
                else:
                    self._noun(token, mention, here, names, antecedents)
                if token.i in pairs:
                    self._together(token, pairs[token.i])
            self._same_person([t for t in sentence if t.i in meant], meant, here, names)
            subject = next((child for child in sentence.root.children if child.dep_ in SUBJECTS), None)
            self._spoken.unread = (
                not any(map(is_verb, sentence)) and sentence.text.rstrip().endswith(".") and len(sentence) > _SHORT
            )
            self._spoken.centre = here.get(counted(subject).i) if subject is not None else None
            self._couple = couple(sentence, here) or (
                self._couple if self._told_of_couple == self._spoken.sentence else None
            )
            self._spoken.topic.leave(self._spoken.sentence, self._spoken.centre)
            self._spoken.topic.read([(meant[at], found) for at, found in here.items()], self._spoken.centre)
        return names

    @property
    def topic(self) -> str:
        """What the text so far is about, as a sentence may begin with it; "" where that is not clear."""
        return called_topic(self._spoken.topic.referent) if self._spoken.topic.referent is not None else ""

    def take_links(self) -> tuple[CoreferenceLink, ...]:
        """The antecedents that were chosen since the last call, in text order."""
        found, self._links = tuple(self._links), []
        return found

    def _link(self, mention: Mention, known: Referent) -> None:
        renamed = mention.form.pronoun or (known.named and mention.name != known.name)
        self._links.append(CoreferenceLink(str(kind(mention)), mention.span, known.source, renamed))

    def _forget(self) -> None:
        """Drop what was not spoken of for long, so that a long text costs no more a sentence than a short one."""
        self._spoken.referents = [
            r for r in self._spoken.referents if self._spoken.sentence - r.sentence <= (_MEMORY if r.named else _FADES)
        ]

    def _pronoun(
        self,
        token: Token,
        mention: Mention,
        here: dict[int, Referent],
        names: dict[int, str],
        antecedents: Antecedents[Referent] | None,
    ) -> None:
        pair = self._couple or couple(token.sent, here) if mention.form is Form.THEY else None
        if pair is not None and speaks_of_couple(token):
            self._told_of_couple = self._spoken.sentence
            names[token.i] = in_place(joined(pair), token)
            return
        found = chosen(self._spoken, token, mention, here, antecedents)
        owner = plural_subject(token)
        if found is None or (owner is not None and here.get(owner.i) is not found):
            return
        if is_other_than_two(token, found):
            return
        if mention.form in {Form.HE, Form.SHE}:
            found.kind, found.gender = "person", mention.gender
        elif mention.form is Form.THEY and found.named:
            found.human &= found.kind == "person"
        elif mention.form is Form.IT and found.kind == "person":
            found.kind = "any"
        self._touch(found, token)
        here[token.i] = found
        for noun in (child for child in token.children if child.dep_ == "appos" and child.i in here):
            if not here[noun.i].named:
                self._merge(here, noun.i, found)
        self._link(mention, found)
        name = found.part if found.part and mention.form is Form.THEY else called(found, token)
        if name.split()[0].casefold() in PRONOUNS or (found.part and is_of_two(token)):
            return
        names[token.i] = in_place(name, token)

    def _same_person(
        self,
        tokens: Sequence[Token],
        spoken: Mapping[int, Mention],
        here: dict[int, Referent],
        names: dict[int, str],
    ) -> None:
        """Let "he" or "she", if nobody was found for it, be the only one whom that word means in the sentence."""
        people = [token for token in tokens if spoken[token.i].form in {Form.HE, Form.SHE}]
        for token in (token for token in people if token.i not in here):
            same = [t for t in people if t.i in here and spoken[t.i].form is spoken[token.i].form]
            if len({id(here[t.i]) for t in same}) == 1:
                here[token.i] = here[same[0].i]
                names[token.i] = in_place(called(here[token.i], token), token)

    def _two(self, token: Token) -> str | None:
        """The words for "both" and "neither"."""
        group = two_meant(token, self._spoken.sentence, self._spoken.referents)
        if group is None:
            return None
        self._touch(group, token)
        return called_two(token, group.name)

    def _noun(
        self,
        token: Token,
        mention: Mention,
        here: dict[int, Referent],
        names: dict[int, str],
        antecedents: Antecedents[Referent] | None,
    ) -> None:
        made = referent_of(token, mention, self._spoken.sentence)
        known = self._same(made, token, mention, antecedents)
        if known is None:
            self._spoken.referents.append(made)
            known = made
        else:
            known.article |= made.article and made.name == known.name
            self._rename(token, made, known, names)
            self._link(mention, known)
            self._touch(known, token)
        here[token.i] = self._spoken.known[mention.key] = known
        self._learn(token, made, here)

    def _together(self, token: Token, mention: Mention) -> None:
        """ "X and Y", whom "they" may mean."""
        made = referent_of(token, mention, self._spoken.sentence)
        self._spoken.known[mention.key] = made
        self._spoken.referents.append(made)

    def _same(
        self, made: Referent, token: Token, mention: Mention, antecedents: Antecedents[Referent] | None
    ) -> Referent | None:
        """The referent a repeated or shortened name, or a definite noun, speaks of."""
        if made.named:
            same = [r for r in self._spoken.referents if r.named and short_for(made, r)]
            longer = {r.name for r in same} - {made.name}
            if made.kind != "person" and len(longer) > 1 and not any(r.kind == "person" for r in same):
                return next((r for r in same if r.name == made.name), None)  # a brand is none of its models
            if antecedents is not None and not any(r.name == made.name for r in same):
                same = self._allowed(same, mention, antecedents)
            return max(same, key=lambda r: r.count, default=None)
        if token.tag_ == "NNP" and not any(child.dep_ == "compound" for child in token.children):
            people = (r for r in reversed(self._spoken.referents) if r.named and r.kind == "person")
            return next((r for r in people if r.name.split()[-1] == token.text), None)
        if not mention.definite:
            return None
        if antecedents is not None:
            likely = antecedents.of(mention, self._spoken.known) or rules.namesake(
                self._spoken.referents, token, mention
            )
            likely = (
                likely
                or self._only_group(token, mention, antecedents)
                or rules.repeated(self._spoken.referents, mention)
            )
            return likely or self._spoken.topic.called(token, mention)
        return rules.definite(self._spoken.referents, self._spoken.sentence, made, token)

    def _only_group(self, token: Token, mention: Mention, antecedents: Antecedents[Referent]) -> Referent | None:
        """What "the company" is as a subject, if the model leaves no doubt but whether it is anything named."""
        if token.dep_ not in SUBJECTS or mention.lemma not in GROUP_NOUNS:
            return None
        shares = antecedents.shares(mention, self._spoken.known)
        found = [(r, share) for r, share in shares if share >= _AGREED and r.named]
        rest = sum(share for _, share in shares) - sum(share for _, share in found)
        return found[0][0] if len(found) == 1 and rest < _UNLIKELY else None

    def _allowed(self, same: list[Referent], mention: Mention, antecedents: Antecedents[Referent]) -> list[Referent]:
        """Of the referents that a name may shorten, the one that the model chose; all where it saw none of them."""
        seen = [referent for referent, _ in antecedents.shares(mention, self._spoken.known)]
        if not any(r is other for r in same for other in seen):
            return same
        chosen = antecedents.of(mention, self._spoken.known)
        return [r for r in same if r is chosen]

    def _rename(self, token: Token, made: Referent, known: Referent, names: dict[int, str]) -> None:
        """Let a shortened name or "the company" be read as the full name, and "the captain" as "the captain of the
        freighter"."""
        if not known.named and known.name.startswith(f"{made.name} of ") and not of_phrase(token, made.name):
            tokens = list(phrase(token))
            names.update((other.i, "") for other in tokens)
            names[tokens[0].i] = called(known, tokens[0])
            return
        if not known.named or known.name.casefold() in {made.name.casefold(), *made.said}:
            return
        tokens = list(entity_of(token)) if made.named else list(phrase(token))
        tokens = [t for t in tokens if t.tag_ not in {"POS", "RB", "PDT"}]
        while tokens[0].i > tokens[0].sent.start and tokens[0].nbor(-1).text in known.name.split():
            tokens.insert(0, tokens[0].nbor(-1))
        names.update((other.i, "") for other in tokens)
        names.update((other.i, called(known, tokens[0])) for other in tokens[:1])
        after = tokens[-1].nbor() if tokens[-1].i + 1 < tokens[-1].sent.end else tokens[-1]
        if after.tag_ == "POS" and known.name.endswith("s"):
            names[after.i] = "'"

    def _learn(self, token: Token, made: Referent, here: dict[int, Referent]) -> None:
        """ "X is a company", "X, a company", "the company, X": one referent, called both."""
        holder = described(token)
        told = here.get(holder.i) if holder is not None else None
        if told is None or told is here[token.i] or (made.named and told.named):
            return
        told.said |= made.said
        told.gender = told.gender or made.gender
        told.human |= made.human and made.kind == "person"
        if made.kind in {"person", "group"}:
            told.kind = made.kind
        if made.named:
            told.name, told.kind, told.named = made.name, made.kind, True
            told.article = made.article
            told.source = made.source
        self._merge(here, token.i, told)

    def _merge(self, here: dict[int, Referent], at: int, told: Referent) -> None:
        """Let what a token speaks of be the same as another: "X is a company", "A clerk's daughter, she"."""
        former = here[at]
        self._spoken.referents = [r for r in self._spoken.referents if r is not former or r is told]
        self._spoken.known = {key: told if r is former else r for key, r in self._spoken.known.items()}
        here[at] = told

    def _touch(self, referent: Referent, token: Token) -> None:
        if referent.sentence < self._spoken.sentence or referent.role not in SUBJECTS:
            referent.role = role_of(token)
        referent.sentence, referent.position = self._spoken.sentence, token.i
        referent.count += 1
