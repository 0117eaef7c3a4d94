"""Text to claims by rules over dependency trees, with no model beyond spaCy's English one.

The main job must run without a key and without a model hub; with an LLM, the papers' prompts take this place.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from typing import TYPE_CHECKING

from claimgraph.detect.extraction.agreement import agreeing
from claimgraph.detect.extraction.assertion import asserted
from claimgraph.detect.extraction.atoms import Atom, Pieces, Words, atoms, core
from claimgraph.detect.extraction.carb import Tuple
from claimgraph.detect.extraction.clause_sentence import ClauseSentence
from claimgraph.detect.extraction.clause_words import main_words
from claimgraph.detect.extraction.clauses import Clause, clauses, own_subject
from claimgraph.detect.extraction.coreference.mentions import is_expletive
from claimgraph.detect.extraction.coreference.naming import owning
from claimgraph.detect.extraction.coreference.resolution import resolved
from claimgraph.detect.extraction.ellipsis import full_clauses, is_elliptic
from claimgraph.detect.extraction.gapping import gapped_clauses, gaps, without
from claimgraph.detect.extraction.layout import (
    OPENING_VERBS,
    answer_claim,
    continued_claim,
    is_item,
    is_title,
    label_claim,
    lead_of,
    row_claims,
)
from claimgraph.detect.extraction.neither_nor import denied_each
from claimgraph.detect.extraction.nominals import between, lives, nominal_atoms, possession, situations
from claimgraph.detect.extraction.statements import statement
from claimgraph.detect.extraction.tuples import tuples
from claimgraph.detect.extraction.whole_sentence import whole, whole_clause
from claimgraph.detect.extraction.worthiness import silence, stated_beside
from claimgraph.detect.models.coreference import CoreferenceModel
from claimgraph.detect.text.item_labels import is_label, label_end
from claimgraph.detect.text.markup import is_table, unmarked
from claimgraph.detect.text.parse import Paragraph, paragraphs
from claimgraph.detect.text.syntax import SUBJECTS, is_finite, is_full, is_order, is_verb, misread, semicolon
from claimgraph.detect.text.words import words
from claimgraph.kgstore import identity
from claimgraph.kgstore.model import Claim, Document, Extraction, Silence, Silent, Span

if TYPE_CHECKING:
    from spacy.tokens import Span as Sentence
    from spacy.tokens import Token

_EMPTY = frozenset({"DT", "PRP", "PRP$", "WP", "WP$", "WDT", "WRB", "IN", "TO", "CC", "_SP", "PDT", "POS"})
_SPOKEN_OF = words(
    "he she it they we you him her them this these himself herself itself themselves ourselves oneself yourself myself"
)
_SOME = frozenset({"both", "neither", "none", "some", "most", "many", "few", "all", "each", "others"})
_OPEN = frozenset({"it", "its", "they", "them", "their", "those"})
_BESIDE = frozenset({"behind", "beside", "around", "about"})
_ARGUMENTS = frozenset({"nsubj", "nsubjpass", "dobj", "pobj", "attr"})
_MISSED = 3
"""Words with content in a row that are too many to be left out."""
_TELLING = 3
"""Words and signs of what an instruction states, at least."""
_OPENING = frozenset({"VB", "VBN", "VBD", "VBZ"})
"""Tags of a verb with which a sentence may begin that leaves its subject out."""
_TOGETHER = 250
"""Characters that sentences have together, at most, which are one passage: "Lighthouse (1874). 212 steps.", "May
children come? From the age of eight."."""
_ANSWERING = frozenset({"yes", "no", "only", "not"})
_PROPER = frozenset({"NNP", "NNPS", "PRP"})


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


class _Reading:
    """What was read of one document so far."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._sentences: list[Span] = []
        self._claims: dict[str, Claim] = {}
        self._silent: list[Silent] = []
        self._lead = ""
        self._labelled = False
        """Whether the last of the sentences is the label of the next."""
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
        listing = False
        for sentence in paragraph.doc.sents:
            span = paragraph.sentence_span(sentence)
            if span is None:
                continue
            verbless = not any(map(is_verb, sentence))
            answers = bool(self._asked) and (self._asked_in == place.start or (verbless and not is_item(written)))
            if self._labelled or ((answers or (verbless and listing)) and self._is_short(span)):
                self._sentences[-1] = Span(self._sentences[-1].start, span.end)
                self._silent = self._silent_before() if self._labelled else self._silent
            else:
                self._sentences.append(span)
            asked, self._asked = self._asked, ""
            said = self._document.text[span.start : span.end]
            titled = is_label(written) or is_title(said, written)
            goes_on = self._document.text[span.end : place.end].strip(" \n*_.:") != ""
            listing, self._labelled = verbless, is_label(written) or (titled and goes_on)
            why = Silence.HEADING if titled else silence(sentence, written)
            if why is None:
                claims = self._said(paragraph, sentence, names, topic)
                if asked and " " in said and not (_is_full(sentence) and is_verb(sentence.root)):
                    claims = [
                        answer_claim(self._document, span, asked),
                        *(c for c in claims if c.span.start > span.start),
                    ]
                elif asked and sentence[0].lower_ in _ANSWERING:
                    claims = [_after(asked, c) if c.span.start == span.start else c for c in claims]
                self._silent = self._silent_before() if claims else self._silent
                self._add(claims)
                continue
            beside = list(_beside(self._document, paragraph, sentence, names)) if why is Silence.INSTRUCTION else []
            self._add(beside)
            self._silent += [] if beside else [Silent(self._sentences[-1], why)]
            if why is Silence.QUESTION:
                self._asked, self._asked_in = unmarked(sentence.text).strip(" *_"), place.start
        self._lead = self._lead if is_item(written) else lead_of(written)

    def _silent_before(self) -> list[Silent]:
        """What is silent before the last of the sentences, which states something or was joined to its label."""
        return [one for one in self._silent if one.span.start < self._sentences[-1].start]

    def _is_short(self, span: Span) -> bool:
        """Whether the last of the sentences is still short with what stands up to the end of the span."""
        return span.end - self._sentences[-1].start <= _TOGETHER

    def _said(self, part: Paragraph, sentence: Sentence, names: Mapping[int, str], topic: str) -> list[Claim]:
        """The claims of a sentence that may make some."""
        document, place, span = self._document, part.place, part.sentence_span(sentence)
        assert span is not None, "a sentence without a word makes no claim"
        written = document.text[place.start : place.end].lstrip()
        full = _is_full(sentence)
        bare = None if full else self._without_subject(sentence, span, written, topic)
        claims = [bare] if bare else list(_claims(document, part, sentence, names))
        rest = self._without_subject(sentence, span, written, topic) if full and not claims else None
        if rest:  # what a list leads to is said by an item's first sentence alone
            opens = document.text[place.start : span.start].strip(" \t\n-*+•–0123456789.)") == ""
            claims = [rest] if opens else list(_whole(document, part, sentence, names))
        label = unmarked(written[: label_end(written)]).strip(" \t-*+•–:")
        if not label:
            return claims
        if full and not is_verb(sentence.root):  # "**Steam room:** Closed, since it is being repaired."
            whole = label_claim(document, span, "", "")
            return [whole, *claims] if whole is not None and label in whole.sentence else claims
        if _leaves_out_subject(sentence[0]):
            opening = [claim for claim in claims if claim.span.start == span.start]
            told = [_after(f"{label}:", one) for one in opening] or [answer_claim(document, span, f"{label}:")]
            return told + [claim for claim in claims if claim not in opening]
        if any(_is_open(token, names) for token in sentence):
            return [_after(f"{label}:", claim) for claim in claims]
        return claims

    def _without_subject(self, sentence: Sentence, span: Span, written: str, topic: str) -> Claim | None:
        """The claim of a sentence that leaves out its subject, or has no verb."""
        opening, item = sentence[0].tag_, is_item(written)
        if opening in {"VBZ", "VBD"} or (item and sentence[0].lower_ in OPENING_VERBS):
            return continued_claim(self._document, span, topic or self._topic())
        if opening == "VBN" and item and topic:
            return continued_claim(self._document, span, topic, "is")
        lead = self._lead or ("" if is_full(sentence) else topic)
        return label_claim(self._document, span, lead if item else "", topic)

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


def _leaves_out_subject(first: Token) -> bool:
    """Whether a sentence begins with a verb about what its label names: "**Concert:** Put off, as the band is ill."."""
    own = own_subject(first) is not None or any(child.dep_ == "dobj" for child in first.children)
    return first.tag_ in _OPENING and not own


def _order(claim: Claim) -> tuple[int, int, str, str, str]:
    return claim.span.start, claim.span.end, claim.subject, claim.predicate, claim.object


def _claims(document: Document, part: Paragraph, sentence: Sentence, names: Mapping[int, str]) -> Iterator[Claim]:
    own = {i for i in names if _is_reflexive(part.doc[i]) or _may_be_subject(part.doc[i])}
    names = {i: name for i, name in names.items() if i not in own}
    names |= _owners(part, sentence, names)
    found = [(atom, said) for atom, said in _facts(part, sentence, names) if _says_something(atom, names)]
    claims = [_claim(document, part, atom, said, names) for atom, said in found]
    yield from claims
    if _left_out(part, sentence, claims):
        yield from _whole(document, part, sentence, names, claims)


def _beside(document: Document, part: Paragraph, sentence: Sentence, names: Mapping[int, str]) -> Iterator[Claim]:
    """The claims of what an instruction states beside what it asks for."""
    for verb in stated_beside(sentence):
        own = set(main_words(verb))
        if len(own) < _TELLING:
            continue
        found = [
            (atom, said)
            for atom, said in _facts(part, sentence, names)
            if own.issuperset(atom.subject) and own.issuperset(atom.object) and _says_something(atom, names)
        ]
        yield from (_claim(document, part, *rest, names) for rest in found or whole_clause(part, verb, names))


def _whole(
    document: Document, part: Paragraph, sentence: Sentence, names: Mapping[int, str], claims: Sequence[Claim] = ()
) -> Iterator[Claim]:
    yield from (_claim(document, part, *rest, names) for rest in whole(part, sentence, names, claims))


def _left_out(part: Paragraph, sentence: Sentence, claims: Sequence[Claim]) -> bool:
    """Whether words with content stand in no claim of the sentence: a few in a row, or a verb with some other."""
    longest = run = missed = verbs = 0
    orders = {t for c in sentence.root.children if is_order(c) and semicolon(c, sentence.root) for t in c.subtree}
    for token in sentence:
        at = part.span(token.i, token.i).start
        if (
            token in orders
            or not (token.is_alpha or token.like_num)
            or any(c.span.start <= at < c.span.end for c in claims)
        ):
            run = 0
            continue
        tells = token.like_num or not token.is_stop
        run += tells
        missed += tells
        helping = token.dep_ in {"aux", "auxpass"} and own_subject(token.head) is None
        verbs += is_finite(token) and not (claims and helping)
        longest = max(longest, run)
    unread = not claims and missed >= _MISSED and is_full(sentence) and all(t.text != ":" for t in sentence)
    some = any(child.lower_ in _SOME and child.dep_ in SUBJECTS for child in sentence.root.children)
    return longest >= _MISSED or unread or (verbs > 0 and missed > (0 if claims or some else 1))


def _is_reflexive(pronoun: Token) -> bool:
    """Whether a pronoun after the subject of its verb speaks of that, and needs no name: "its own", "themselves"; or is
    that of a phrase that never names another: "on its way"."""
    if (
        pronoun.i
        and pronoun.nbor(-1).lower_ == "on"
        and pronoun.i + 1 < len(pronoun.doc)
        and pronoun.nbor().lower_ == "way"
    ):
        return True
    own = pronoun.tag_ == "PRP$" and pronoun.i + 1 < len(pronoun.doc) and pronoun.nbor().lower_ == "own"
    if not own and not pronoun.lower_.endswith(("self", "selves")):
        return False
    verb = next((a for a in pronoun.ancestors if is_verb(a)), None)
    while verb is not None and own_subject(verb) is None and verb.dep_ == "conj" and is_verb(verb.head):
        verb = verb.head
    subject = own_subject(verb) if verb is not None else None
    return subject is not None and subject.right_edge.i < pronoun.i


def _may_be_subject(pronoun: Token) -> bool:
    """Whether a pronoun after a preposition of place may speak of the person who is the subject of its clause, though
    without "-self": "Ann had three runners ahead of her"."""
    prep = pronoun.head
    place = prep.lower_ in _BESIDE or (prep.lower_ == "of" and prep.head.lower_ in {"ahead", "front"})
    verb = next((a for a in prep.ancestors if is_verb(a)), None)
    subject = own_subject(verb) if verb is not None else None
    person = subject is not None and (subject.tag_ == "NNP" or subject.lower_ in {"he", "she"})
    return pronoun.dep_ == "pobj" and pronoun.lower_ in {"him", "her"} and place and person


def _owners(part: Paragraph, sentence: Sentence, names: Mapping[int, str]) -> dict[int, str]:
    """Whose "whose" is: the noun that its relative clause modifies."""
    found = {}
    for token in sentence:
        clause = next((a for a in token.ancestors if a.dep_ == "relcl"), None) if token.tag_ == "WP$" else None
        if clause is not None:
            owner = part.words(core(clause.head), names).rpartition(", ")[2]  # "the organist, Ann Lee"
            found[token.i] = owning(owner)
    return found


def _facts(part: Paragraph, sentence: Sentence, names: Mapping[int, str]) -> Iterator[tuple[Atom, ClauseSentence]]:
    """Each atom of a sentence with the statement of its clause; none of a sentence whose parse cannot be right."""
    if misread(sentence):
        return
    yield from ((atom, ClauseSentence()) for atom in (*lives(sentence), *situations(sentence)))
    yield from full_clauses(part, sentence, names)
    yield from denied_each(part, sentence, names)
    lacking = gaps(sentence)
    yield from gapped_clauses(part, lacking, names)
    gapped = {token for gap in lacking for token in gap.tokens}
    for clause in clauses(sentence):
        if not _is_stated(clause) or _neither(clause.subject):
            continue
        found = list(possession(clause)) or list(between(clause))
        found = found or list(nominal_atoms(clause) if clause.verb is None else atoms(clause))
        found = [atom for atom in found if gapped.isdisjoint((*atom.subject, *atom.predicate, *atom.object))]
        said = without(part, statement(part, clause, found, names), lacking, names)
        yield from ((atom, said) for atom in found)


def _is_stated(clause: Clause) -> bool:
    return clause.verb is None or (asserted(clause.verb) and not is_elliptic(clause.verb))


def _neither(subject: Token) -> bool:
    """Whether a subject is said to be "neither ... nor ...", which a triple has no place for."""
    near = (child for noun in (subject, subject.head) for child in noun.children if child != subject)
    return any(child.lower_ in {"neither", "nor"} for child in near)


def _says_something(atom: Atom, names: Mapping[int, str]) -> bool:
    """Whether both arguments name something, one of them by more than a pronoun that nothing was found for."""
    named = [_names(words, names) for words in (atom.subject, atom.object)]
    return all(named) or (any(named) and all(map(_speaks_of, (atom.subject, atom.object))))


def _names(tokens: Words, names: Mapping[int, str]) -> bool:
    """Whether an argument names anything: not an article, or a pronoun that nothing was found for."""
    named = any((t.tag_ not in _EMPTY and not t.is_punct) or names.get(t.i) for t in tokens)
    return named and not any(t.tag_ == "WP$" and not names.get(t.i) for t in tokens)


def _speaks_of(tokens: Words) -> bool:
    """Whether an argument has a word with content, or a pronoun whose claim keeps it."""
    return any((t.tag_ not in _EMPTY and not t.is_punct) or _unresolved(t) for t in tokens)


def _unresolved(token: Token) -> bool:
    """Whether a pronoun speaks of something that the text names, though nobody knows which: its claim keeps it."""
    return token.lower_ in _SPOKEN_OF and token.tag_ in {"PRP", "DT"} and not is_expletive(token)


def _is_open(token: Token, names: Mapping[int, str]) -> bool:
    """Whether a word stands for what its label names, or for something that nothing was found for: "You can borrow
    one", "It runs nine hours"."""
    if token.lower_ in {"one", "ones"}:
        return token.dep_ in _ARGUMENTS and not any(child.dep_ != "punct" for child in token.children)
    return token.lower_ in _OPEN and token.i not in names and not is_expletive(token)


def _claim(document: Document, part: Paragraph, atom: Atom, said: ClauseSentence, names: Mapping[int, str]) -> Claim:
    written = [piece for piece in atom.predicate if not isinstance(piece, str)]
    span = part.cover([*atom.subject, *written, *atom.object, *said.tokens])
    subject = _subject(part, atom.subject, names)
    owner = subject.casefold()
    own = {i: name for i, name in names.items() if name.casefold() not in {f"{owner}'s", f"{owner}'"}}
    predicate = _predicate(part, atom.predicate, {**own, **agreeing(atom.subject, written)})
    object = atom.lemma or part.words(atom.object, {**_plain(atom.object), **own})
    if object.casefold() == owner:
        object = part.words(atom.object, _plain(atom.object))
    return Claim(
        id=identity.claim_id(document.id, span.start, span.end, subject, predicate, object),
        document=document.id,
        subject=subject,
        predicate=predicate,
        object=object,
        text=document.text[span.start : span.end],
        span=span,
        subject_span=part.run(atom.subject),
        predicate_span=part.run(written),
        object_span=part.run(atom.object),
        statement=said.text,
    )


def _subject(part: Paragraph, tokens: Words, names: Mapping[int, str]) -> str:
    """The subject with the full name in a pronoun's place; an owner without its "'s"."""
    said = part.words(tokens, names)
    alone = len(tokens) == 1 and tokens[0].tag_ == "PRP$"
    return said.removesuffix("'s").removesuffix("'") if alone else said


def _predicate(part: Paragraph, pieces: Pieces, names: Mapping[int, str]) -> str:
    """The pieces in order; a sentence's first word in lower case where only its place gave it a capital."""
    said: list[str] = []
    for kind, group in groupby(pieces, type):
        run = list(group)
        said.extend(run if kind is str else [part.words(run, {**_plain(run), **names})])  # type: ignore[arg-type]
    return " ".join(said)


def _helps(token: Token) -> str:
    """The verb that a short form stands for: "have" before a participle with an object, "he's received a prize"."""
    perfect = token.dep_ == "auxpass" and any(child.dep_ == "dobj" for child in token.head.children)
    return "have" if perfect and token.lemma_ == "be" else token.lemma_


def _plain(tokens: Sequence[Token]) -> dict[int, str]:
    said = {t.i: t.text.lower() for t in tokens if t.is_sent_start and t.tag_ not in _PROPER}
    short = {
        ("'s", "be"): "is",
        ("'s", "have"): "has",
        ("'re", "be"): "are",
        ("'ve", "have"): "have",
        ("'m", "be"): "am",
    }
    return {
        **said,
        **{t.i: f" {short[key]}" for t in tokens if (key := (t.lower_.replace("’", "'"), _helps(t))) in short},
    }
