"""What a text is about: what its heading names, or what its first sentence is about.

The items of a list speak of that, not of one another: "It is lighter than its predecessor" under the name of a lamp.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from claimgraph.detect.extraction.coreference.mentions import Form, Mention
from claimgraph.detect.extraction.coreference.rules import Referent
from claimgraph.detect.extraction.layout import is_heading, is_item
from claimgraph.detect.text.item_labels import is_label, label_end
from claimgraph.detect.text.syntax import SUBJECTS
from claimgraph.detect.text.words import content, words

if TYPE_CHECKING:
    from spacy.tokens import Token

_THING = re.compile(r"^[A-Z][\w-]*(?: [A-Z0-9][\w-]*)+")
"""A heading that begins with a name, whatever a parser thinks of it: "Nordlight 4 bike lamp"."""
_ANNOUNCED = words(
    "answer breakdown details explanation explainer facts gist guide highlights information list look minutes notes "
    "outline overview points recap rundown summary takeaways version walkthrough"
)
"""What a text begins with that only says what follows."""
_SECTION = re.compile(r"\s*##+[ \t]")
_NAME = 2
"""Words of a heading that is nothing but a name, at most."""


class Topic:
    """What the text so far is about, as far as that is clear. One object a text."""

    def __init__(self) -> None:
        self.referent: Referent | None = None
        self.labelled: Referent | None = None
        """The name in the label that what is read now stands under."""
        self._begun = False
        self._heading = self._of_thing = self._bare = False
        self._text = ""
        """The whole text where a part's title is read after other sentences."""
        self._list_start = self._item_start = 0
        self._in_item = self._label = self._labelled = False

    def begin(self, written: str, sentence: int, text: str) -> None:
        """Take in that a paragraph of the text begins, with the number of its first sentence."""
        item = is_item(written)
        if not self._label:
            self._item_start, self.labelled = sentence, None
        self._label = is_label(written)
        if item and not self._in_item:
            self._list_start = sentence
        self._in_item, self._heading = item, is_heading(written)
        self._of_thing = self._heading and _THING.search(written.strip(" #*\n")) is not None
        self._text = text if self._begun and _SECTION.match(written) else ""
        self._bare = self._heading and len(written.strip(" #*:\n").split()) <= _NAME
        self._labelled = item and label_end(written) > 0

    def read(self, found: list[tuple[Mention, Referent]], centre: Referent | None) -> None:
        """Take in a sentence with the mentions found in it, and what it is about. A label tells nothing of that."""
        bare = [(mention, referent) for mention, referent in found if not mention.form.pronoun]
        if self._label:
            _add_article(bare)
            self.labelled = next((referent for mention, referent in bare if mention.form is Form.NAME), None)
        elif self._heading:
            first = not self._begun and self.referent is None
            named = [
                r for mention, r in found if mention.form is Form.NAME and (first or r.kind != "place" or self._bare)
            ]
            if self._text:  # a part's title, "Background", is what the text is about only where the text speaks of it
                named = [r for r in named if len(re.findall(rf"\b{re.escape(r.name)}\b", self._text)) > 1]
            several = len({r.name for r in named}) > 1 and first
            told = named or [referent for _, referent in bare]
            if named or ((first or self._of_thing) and not self._text):
                self.referent = told[0] if told and not several else None
            if not named:
                _add_article(bare)
        elif not self._in_item and not self._begun:
            self._begun = True
            if (
                centre is not None
                and not _announces(centre)
                and (self.referent is None or _alike(centre, self.referent))
            ):
                self.referent = centre

    def leave(self, sentence: int, centre: Referent | None) -> None:
        """Take in what a sentence was about: with another thing the label's name is no longer what is meant."""
        label = self.labelled
        if label is not None and centre is not None and centre is not label and label.sentence != sentence:
            self.labelled = None

    def opens_item(self, token: Token) -> bool:
        """Return whether a pronoun is, or owns, the subject at the beginning of a list's item."""
        return self._in_item and next((t.i for t in token.sent if t.is_alpha), -1) == token.i

    def of(self, mention: Mention) -> Referent | None:
        """Return the topic where a pronoun agrees with it."""
        topic = self.referent
        if topic is None or self._labelled or mention.form not in {Form.IT, Form.THEY}:
            return None
        if topic.kind == "person" and (topic.gender is not None or " " in topic.name):
            return None
        agrees = topic.plural == (mention.form is Form.THEY) or (topic.named and mention.form is Form.IT)
        return topic if agrees else None

    def called(self, token: Token, mention: Mention) -> Referent | None:
        """Return the topic where a definite noun is a subject and the noun of its name: "the bridge", but not "the
        appeal" for a Court of Appeal.
        """
        topic = self.referent
        name = topic.name.partition(" of ")[0] if topic is not None and topic.named else ""
        last = name.rpartition(" ")[2].casefold()
        return topic if token.dep_ in SUBJECTS and mention.lemma == last else None

    def is_of_other_item(self, known: Referent) -> bool:
        """Return whether something was first spoken of in an item before this one, which begins with its label."""
        return self._in_item and self._list_start <= known.first < self._item_start


def _alike(one: Referent, other: Referent) -> bool:
    return bool(set(content(one.name)) & set(content(other.name)))


def _announces(centre: Referent) -> bool:
    """Return whether a sentence about this only says what follows: "Here is the gist of the letter"."""
    name = centre.name.casefold()
    return name.startswith(("this ", "these ")) or name.partition(" of ")[0].rpartition(" ")[2] in _ANNOUNCED


def _add_article(found: list[tuple[Mention, Referent]]) -> None:
    """Let the first thing of a heading or label be "the battery" where it has no article."""
    for mention, referent in found[:1]:
        if mention.form is Form.BARE and not referent.plural:
            referent.name = f"the {referent.name}"
