"""Parse texts of any length to dependency trees with the English spaCy model.

A text is parsed paragraph by paragraph, so memory is bounded by a batch, no sentence runs over a heading, and spaCy's
limit of a million characters never applies. Penn Treebank brackets and quotes are shown to the model as the plain
characters it was trained on, and Markdown's marks as spaces, while all offsets remain those of the given text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from types import MappingProxyType
from typing import TYPE_CHECKING

from claimgraph.detect.text.blas_threads import one_thread
from claimgraph.detect.text.item_labels import begins_sentence, label_end
from claimgraph.detect.text.lost_verbs import regain
from claimgraph.detect.text.markup import blank, split, unmarked
from claimgraph.detect.text.parse_mending import mend
from claimgraph.detect.text.spacy_model import ESCAPES, load
from claimgraph.detect.text.words import words
from claimgraph.kgstore import metric_hooks
from claimgraph.kgstore.model import Span

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc, Token
    from spacy.tokens import Span as Sentence


_BATCH = 2_000


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A parsed paragraph of a text: `doc` is its parse, `starts` and `ends` the positions of its tokens in the text,
    `place` where all of it stands, with its marks."""

    text: str
    doc: Doc
    starts: tuple[int, ...]
    ends: tuple[int, ...]
    place: Span

    def span(self, first: int, last: int) -> Span:
        """Return the span of the tokens numbered first to last, both included, in the text."""
        return Span(self.starts[first], self.ends[last])

    def cover(self, tokens: Iterable[Token]) -> Span:
        """Return the smallest span over the tokens, of which there must be one."""
        numbers = [token.i for token in tokens]
        return self.span(min(numbers), max(numbers))

    def run(self, tokens: Sequence[Token]) -> Span | None:
        """Return the longest run of neighbours among the tokens, the first of equals; None for no tokens."""
        runs: list[list[int]] = []
        for number in sorted(token.i for token in tokens):
            if runs and number == runs[-1][-1] + 1:
                runs[-1].append(number)
            else:
                runs.append([number])
        longest = max(runs, key=len, default=None)
        return self.span(longest[0], longest[-1]) if longest else None

    def words(self, tokens: Iterable[Token], names: Mapping[int, str] = MappingProxyType({})) -> str:
        """Return the tokens as written, or by `names`, separated by one space where the text separates them."""
        pieces: list[str] = []
        last = None
        for token in tokens:
            start, end = self.starts[token.i], self.ends[token.i]
            word = names.get(token.i, self.text[start:end])
            if word:
                pieces += ["" if start == last else " ", word]
            last = end
        return " ".join("".join(pieces).split())

    def sentences(self) -> Iterator[Span]:
        """Yield the spans of sentences with a letter or a digit, without white space at their ends."""
        yield from (span for sentence in self.doc.sents if (span := self.sentence_span(sentence)))

    def sentence_span(self, sentence: Sentence) -> Span | None:
        """Return the span of a sentence without white space at its ends; None where it has no letter or digit."""
        words = [token.i for token in sentence if not token.is_space]
        return self.span(words[0], words[-1]) if any(character.isalnum() for character in sentence.text) else None


def paragraphs(texts: Sequence[str]) -> Iterator[tuple[int, Paragraph]]:
    """Yield the parsed paragraphs of all texts in order, each with the number of its text; one batch is in memory at a
    time.

    Raises ModelError where the model is missing or altered.
    """
    nlp = load()
    made = (_tokens(nlp, text, number, cut) for number, text in enumerate(texts) for cut in split(text))
    for batch in _batches(made):
        with one_thread():
            parsed = list(nlp.pipe(batch, as_tuples=True, batch_size=len(batch)))
        for doc, (number, starts, ends, cut) in parsed:
            part = Paragraph(texts[number], mend(regain(nlp, doc)), starts, ends, cut)
            yield from ((number, one) for one in _labelled(nlp, part))
        metric_hooks.computed("parser", sum(cut.end - cut.start for _, (*_, cut) in batch))


def _batches(made: Iterable[tuple[Doc, _Place]]) -> Iterator[list[tuple[Doc, _Place]]]:
    """Yield batches of at most 2,000 words, or one paragraph: fast together, and the parse of a word takes 17 KB."""
    batch: list[tuple[Doc, _Place]] = []
    words = 0
    for doc, place in made:
        if batch and words + len(doc) > _BATCH:
            yield batch
            batch, words = [], 0
        batch.append((doc, place))
        words += len(doc)
    if batch:
        yield batch


_Place = tuple[int, tuple[int, ...], tuple[int, ...], Span]


def _labelled(nlp: Language, part: Paragraph) -> Iterator[Paragraph]:
    """Yield the label with which a paragraph begins, and the paragraph; both as one where no sentence follows."""
    text, cut = part.text, part.place
    end = cut.start + label_end(text[cut.start : cut.end])
    if end == cut.start:
        yield part
        return
    if not begins_sentence(part.doc):
        whole = _with_label(nlp, text, cut)
        if not begins_sentence(whole.doc, sum(start < end for start in whole.starts)):
            yield whole
            return
    yield _with_label(nlp, text, Span(cut.start, end))
    yield part


def _with_label(nlp: Language, text: str, cut: Span) -> Paragraph:
    doc, (_, starts, ends, place) = _tokens(nlp, text, 0, cut, labelled=True)
    return Paragraph(text, mend(regain(nlp, nlp(doc))), starts, ends, place)


def _tokens(nlp: Language, text: str, number: int, cut: Span, labelled: bool = False) -> tuple[Doc, _Place]:
    """Return the words of a paragraph, with or without its label, and their places."""
    from spacy.tokens import Doc

    said = text[cut.start : cut.end]
    end = 0 if labelled else label_end(said)
    plain = blank(said[:end]) + unmarked(said[end:])
    doc = nlp.make_doc(plain)
    spoken = _joined([token for token in doc if plain == said or not token.is_space], said)
    starts = tuple(cut.start + first.idx for first, _ in spoken)
    ends = tuple(cut.start + last.idx + len(last) for _, last in spoken)
    if len(spoken) < len(doc) or any(token.text in ESCAPES for token in doc):
        apart = (
            [start < after for start, after in zip(ends, (*starts[1:], ends[-1] + 1), strict=True)] if spoken else []
        )
        texts = [plain[first.idx : last.idx + len(last)] for first, last in spoken]
        doc = Doc(nlp.vocab, words=[ESCAPES.get(word, word) for word in texts], spaces=apart)
    for before, token in pairwise(doc):
        answered = before.text == "." and before.i > 0 and before.nbor(-1).text in _ANSWERS
        answered |= before.text == "." and before.i > 0 and before.nbor(-1).text == "no" and token.is_title
        lettered = _LETTER.fullmatch(before.text) and before.i > 0 and before.nbor(-1).text in _LETTERED
        if (token.is_title and ((before.lower_ in _HOURS and token.is_stop) or lettered)) or answered:
            token.is_sent_start = True
    return doc, (number, starts, ends, cut)


def _joined(spoken: Sequence[Token], said: str) -> list[tuple[Token, Token]]:
    """Return the first and last token of each word: what is marked as code is one, "`git pull` overwrites"."""
    codes = [span.span() for span in _CODE.finditer(said)]
    found: list[tuple[Token, Token]] = []
    for token in spoken:
        code = next((start for start, end in codes if start < token.idx < end), -1)
        if found and 0 <= code < found[-1][0].idx:
            found[-1] = found[-1][0], token
        else:
            found.append((token, token))
    return found


_CODE = re.compile(r"`[^`\n]+`")
_ANSWERS = frozenset({"No", "Yes"})
_LETTER = re.compile(r"[A-Z]\.")
_LETTERED = words(
    "block category class gate grade group hepatitis level option plan room row section trench type vitamin"
)
"""Nouns that a letter may follow with which a sentence ends: "in trench C."."""
_HOURS = frozenset({"a.m.", "p.m."})
"""Abbreviations after which a sentence begins where a word that is no name has a capital."""
