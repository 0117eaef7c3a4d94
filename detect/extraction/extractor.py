"""Text to claims by rules over dependency trees, with no model beyond spaCy's English one.

The main job must run without a key and without a model hub; with an LLM, the papers' prompts take this place.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from claimgraph.detect.extraction.carb import Tuple
from claimgraph.detect.extraction.clauses import own_subject
from claimgraph.detect.extraction.coreference.resolution import resolved
from claimgraph.detect.extraction.layout import (
    OPENING_VERBS,
    answer_claim,
    asked_in_bold,
    continued_claim,
    is_bold_item,
    is_item,
    is_title,
    label_claim,
    label_of_item,
    lead_of,
    row_claims,
    says_label,
)
from claimgraph.detect.extraction.pronoun_names import is_open
from claimgraph.detect.extraction.sentence_claims import claims_beside, sentence_claims, whole_claims
from claimgraph.detect.extraction.tuples import tuples
from claimgraph.detect.extraction.worthiness import silence
from claimgraph.detect.models.coreference import CoreferenceModel
from claimgraph.detect.text.item_labels import is_label, label_end
from claimgraph.detect.text.markup import is_table, unmarked
from claimgraph.detect.text.parse import Paragraph, paragraphs
from claimgraph.detect.text.syntax import SUBJECTS, is_finite, is_full, is_verb
from claimgraph.detect.text.words import is_person_noun
from claimgraph.kgstore.model import Claim, Document, Extraction, Silence, Silent, Span

if TYPE_CHECKING:
    from spacy.tokens import Span as Sentence
    from spacy.tokens import Token

_OPENING = frozenset({"VB", "VBN", "VBD", "VBZ"})
"""Tags of a verb with which a sentence may begin that leaves its subject out."""
_TOGETHER = 250
"""Characters that sentences have together, at most, which are one passage: "Lighthouse (1874). 212 steps.", "May
children come? From the age of eight."."""
_ANSWERING = frozenset({"yes", "no", "only", "not"})


class RuleExtractor:
    """Claims by rules; English texts only. Lifetime: the model is loaded at the first use and kept by the process."""

    name = "rules"

    def __init__(self, coreference: CoreferenceModel | None = None) -> None:
        """`coreference` chooses antecedents; None: the rules do."""
        self._coreference = coreference
        self.config = json.dumps({"coreference": coreference.model}) if coreference else ""

    def extract(self, documents: Sequence[Document]) -> list[Extraction]:
        """One Extraction a document, in order. Raises ModelError where the language model is missing or altered."""
        readings = [_Reading(document) for document in documents]
        parsed = paragraphs([document.text for document in documents])
        for found in resolved(parsed, self._coreference):
            readings[found.number].read(found.paragraph, found.names, found.topic)
        return [reading.extraction() for reading in readings]

    def tuples(self, texts: Sequence[str]) -> list[list[Tuple]]:
        """The same clauses as n-ary tuples, for measuring against open extraction systems."""
        found: list[list[Tuple]] = [[] for _ in texts]
        for number, paragraph in paragraphs(texts):
            found[number].extend(tuples(paragraph))
        return found


@dataclass(frozen=True, slots=True)
class _Part:
    """A sentence: its parse in its paragraph, its place in the document, and the paragraph as it is written."""

    paragraph: Paragraph
    sentence: Sentence
    span: Span
    written: str


class _Reading:
    """What was read of one document so far."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._sentences: list[Span] = []
        self._claims: dict[str, Claim] = {}
        self._silent: list[Silent] = []
        self._lead = ""
        self._outer: list[tuple[int, str]] = []
        """The items that a paragraph is a part of: how far each is indented, and its label."""
        self._item: tuple[int, str] | None = None
        """The same of the paragraph itself."""
        self._lead_says = False
        """Whether the lead is a clause, which needs no topic before it."""
        self._labelled = False
        """Whether the last of the sentences is the label of the next."""
        self._listing = False
        """Whether the sentence before, in the same paragraph, has no verb."""
        self._asked = ""
        """The question that the sentence before asks."""
        self._asked_in = -1
        """Where the paragraph of that question begins."""

    def read(self, paragraph: Paragraph, names: Mapping[int, str], topic: str) -> None:
        """Take in a paragraph: a table row by row, any other sentence by sentence. The text is about `topic`."""
        place = paragraph.place
        written = self._document.text[place.start : place.end].lstrip()
        if is_table(written):
            for row, claims in row_claims(self._document, place, topic):
                self._sentences.append(row)
                self._add(claims)
            self._labelled = False
            return
        self._listing = False
        self._enter(written, place)
        for sentence in paragraph.doc.sents:
            span = paragraph.sentence_span(sentence)
            if span is not None:
                self._read_sentence(_Part(paragraph, sentence, span, written), names, topic)
        if self._item:
            self._outer.append(self._item)
        if not is_item(written):
            self._lead = lead_of(written)
            self._lead_says = bool(self._lead) and _is_full(list(paragraph.doc.sents)[-1])

    def _enter(self, written: str, place: Span) -> None:
        """Take in where a paragraph stands in a list: `_outer` are the items that it is a part of, outermost first."""
        mark = place.end - place.start - len(self._document.text[place.start : place.end].lstrip())
        indent = len(self._document.text[place.start : place.start + mark].rpartition("\n")[2].expandtabs(4))
        item = is_item(written)
        self._outer = [one for one in self._outer if item and one[0] < indent]
        self._item = (indent, label_of_item(written)) if item else None

    def _read_sentence(self, part: _Part, names: Mapping[int, str], topic: str) -> None:
        """Take in a sentence: as part of the passage before or as a new one, and with its claims or why it has none."""
        asked = self._place(part)
        said = self._document.text[part.span.start : part.span.end]
        titled = is_label(part.written) or is_title(said, part.written) or self._is_head(part)
        goes_on = self._document.text[part.span.end : part.paragraph.place.end].strip(" \n*_.:") != ""
        self._labelled = is_label(part.written) or (titled and goes_on)
        question = asked_in_bold(part.written)
        of_question = " ".join(said.strip("* ").split()) in question
        why = Silence.HEADING if titled else silence(part.sentence, part.written)
        why = Silence.QUESTION if why is None and of_question else why
        if why is Silence.INSTRUCTION and self._is_label(part, part.sentence.root):
            why = None  # "**Start:** 1 March"
        if why is None:
            claims = self._answering(part, asked, self._said(part, names, topic))
        elif why is Silence.INSTRUCTION:
            claims = list(claims_beside(self._document, part.paragraph, part.sentence, names))
        else:
            claims = []
        if why is None:
            self._silent = self._silent_before() if claims else self._silent
        elif not claims:
            self._silent.append(Silent(self._sentences[-1], why))
        if why is Silence.QUESTION:
            self._asked = question if of_question else unmarked(part.sentence.text).strip(" *_")
            self._asked_in = part.paragraph.place.start
        self._add(claims)

    def _is_label(self, part: _Part, token: Token) -> bool:
        """Whether a word stands in the label of a paragraph, which is parsed with what is no sentence without it."""
        place = part.paragraph.place
        opens = place.end - len(self._document.text[place.start : place.end].lstrip())
        return part.paragraph.starts[token.i] < opens + label_end(part.written)

    def _is_head(self, part: _Part) -> bool:
        """Whether an item is a few words in bold, under which further items stand."""
        following = self._document.text[part.paragraph.place.end :].lstrip("\n").partition("\n")[0]
        inside = len(following) - len(following.lstrip()) > (self._item[0] if self._item else 0)
        return self._item is not None and is_bold_item(part.written) and is_item(following) and inside

    def _place(self, part: _Part) -> str:
        """Add a sentence to the passages, or to the last of them: where its label stands before it, where it answers a
        question, and where neither has a verb. Return the question that it answers; "" where it answers none.
        """
        verbless = not any(map(is_verb, part.sentence))
        beside = self._asked_in == part.paragraph.place.start or (verbless and not is_item(part.written))
        joined = (self._asked and beside) or (verbless and self._listing)
        if self._labelled or (joined and part.span.end - self._sentences[-1].start <= _TOGETHER):
            self._sentences[-1] = Span(self._sentences[-1].start, part.span.end)
            self._silent = self._silent_before() if self._labelled else self._silent
        else:
            self._sentences.append(part.span)
        self._listing = verbless
        asked, self._asked = self._asked, ""
        return asked

    def _answering(self, part: _Part, asked: str, claims: list[Claim]) -> list[Claim]:
        """The claims of a sentence after the question `asked`, "" where there is none: an answer without a clause
        of its own is told with its question, as is one that begins with "Yes".
        """
        opening, first = part.span.start, part.sentence[0]
        clause = _is_full(part.sentence) and is_verb(part.sentence.root)
        short = first.lower_ in {"yes", "no"} or " " in self._document.text[opening : part.span.end]
        if asked and short and not clause:
            rest = [claim for claim in claims if claim.span.start > opening]
            return [answer_claim(self._document, part.span, asked), *rest]
        if asked and first.lower_ in _ANSWERING:
            return [_after(asked, claim) if claim.span.start == opening else claim for claim in claims]
        return claims

    def _silent_before(self) -> list[Silent]:
        """What is silent before the last of the sentences, which states something or was joined to its label."""
        return [one for one in self._silent if one.span.start < self._sentences[-1].start]

    def _said(self, part: _Part, names: Mapping[int, str], topic: str) -> list[Claim]:
        """The claims of a sentence that may make some."""
        document, place, sentence, span, written = (
            self._document,
            part.paragraph.place,
            part.sentence,
            part.span,
            part.written,
        )
        full = _is_full(sentence) and not (is_item(written) and self._lead_says and _is_noun(sentence))
        bare = None if full else self._without_subject(part, topic)
        claims = [bare] if bare else list(sentence_claims(document, part.paragraph, sentence, names))
        rest = self._without_subject(part, topic) if full and not claims else None
        if rest:  # what a list leads to is said by an item's first sentence alone
            opens = document.text[place.start : span.start].strip(" \t\n-*+•–0123456789.)") == ""
            claims = [rest] if opens else list(whole_claims(document, part.paragraph, sentence, names))
        label = self._label(part)
        if not label:
            return claims
        if _is_label_verb(sentence) and topic:
            whole = label_claim(document, span, "", topic)
            return [whole] if whole is not None else claims
        if full and not is_verb(sentence.root):  # "**Steam room:** Closed, since it is being repaired."
            whole = label_claim(document, span, "", "")
            if whole is not None and label in whole.sentence:
                return [whole, *claims]
        if _leaves_out_subject(sentence[0]):
            opening = [claim for claim in claims if claim.span.start == span.start]
            if any(label in claim.sentence for claim in opening):
                return claims
            told = [_after(f"{label}:", one) for one in opening] or [answer_claim(document, span, f"{label}:")]
            return told + [claim for claim in claims if claim not in opening]
        if any(is_open(token, names) for token in sentence):
            return [_after(f"{label}:", claim) for claim in claims]
        known = [not is_item(written) or says_label(label, claim) for claim in claims]
        return [c if told else _after(f"{label}:", c) for c, told in zip(claims, known, strict=True)]

    def _label(self, part: _Part) -> str:
        """The label of a paragraph, or else of the item that it is a part of; "" where there is none."""
        own = unmarked(part.written[: label_end(part.written)]).strip(" \t-*+•–:")
        return own or (self._outer[-1][1] if self._outer else "")

    def _without_subject(self, part: _Part, topic: str) -> Claim | None:
        """The claim of a sentence that leaves out its subject, or has no verb."""
        sentence, span = part.sentence, part.span
        opening, item = sentence[0].tag_, is_item(part.written)
        if opening in {"VBZ", "VBD"} or (item and sentence[0].lower_ in OPENING_VERBS):
            return continued_claim(self._document, span, topic or self._topic())
        if opening == "VBN" and item and topic:
            return continued_claim(self._document, span, topic, "is")
        inside = self._outer[-1][1] if self._outer else ""
        lead = (inside or self._lead or ("" if is_full(sentence) else topic)) if item else ""
        labelled = label_claim(self._document, span, "", topic)
        return labelled or label_claim(self._document, span, lead, "" if self._lead_says else topic)

    def _topic(self) -> str:
        """What most claims so far are about; "" where there are none."""
        subjects = Counter(claim.subject for claim in self._claims.values())
        return max(subjects, key=lambda subject: subjects[subject], default="")

    def _add(self, claims: Iterable[Claim]) -> None:
        self._claims.update((claim.id, claim) for claim in claims)

    def extraction(self) -> Extraction:
        claims = tuple(sorted(self._claims.values(), key=_order))
        return Extraction(self._document, tuple(self._sentences), claims, silent=tuple(self._silent))


def _after(said: str, claim: Claim) -> Claim:
    """The claim with its label or the question that it answers before its statement."""
    return replace(claim, statement=f"{said} {claim.sentence}")


def _is_full(sentence: Sentence) -> bool:
    """Whether a sentence has a verb with a tense, and a subject."""
    return any(is_finite(token) for token in sentence) and any(token.dep_ in SUBJECTS for token in sentence)


def _is_label_verb(sentence: Sentence) -> bool:
    """Whether a sentence is a label with a verb that tells of something else: "**Training:** held a job"."""
    subject = own_subject(sentence.root)
    if subject is None or subject.i + 1 >= sentence.end or subject.nbor().text != ":":
        return False
    thing = subject.tag_ in {"NN", "NNS", "NNP"} and not subject.ent_type_ and not is_person_noun(subject.lemma_)
    return thing and sentence[0].tag_ != "DT"


def _is_noun(sentence: Sentence) -> bool:
    """Whether a sentence is a noun with a clause on it: "People who live there."."""
    told = {child.dep_ for child in sentence.root.children}
    return sentence.root.tag_.startswith("NN") and "relcl" in told and told.isdisjoint(SUBJECTS)


def _leaves_out_subject(first: Token) -> bool:
    """Whether a sentence begins with a verb about what its label names: "**Concert:** Put off, as the band is ill."."""
    own = own_subject(first) is not None or any(child.dep_ == "dobj" for child in first.children)
    return first.tag_ in _OPENING and not own


def _order(claim: Claim) -> tuple[int, int, str, str, str]:
    return claim.span.start, claim.span.end, claim.subject, claim.predicate, claim.object
