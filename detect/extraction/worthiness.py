"""Which sentences state nothing that can be checked: questions, opinions, instructions, greetings, headings and code.

They make no claims and are counted by kind, so that nobody takes their silence for support. Words and the form of the
verb decide; a classifier was rejected: it would drop sentences and could not say why.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from claimgraph.detect.extraction.layout import is_heading
from claimgraph.detect.text.syntax import SUBJECTS, is_finite, is_order, is_verb, semicolon
from claimgraph.kgstore.model import Silence

if TYPE_CHECKING:
    from spacy.tokens import Span as Sentence
    from spacy.tokens import Token

_OPINION = re.compile(
    r"^\W*(?:I|We) (?:really |personally |sincerely )?(?:think|believe|feel|hope|guess|suppose|wonder|love|like|hate)\b"
    r"|^\W*(?:I am|I'm|I’m|We are|We're|We’re) (?:very |so )?"
    r"(?:sorry|glad|happy|pleased|delighted|afraid|proud|excited)\b"
    r"|^\W*It(?: is|'s|’s) (?:such )?a (?:pity|shame|pleasure|joy)\b"
    r"|^\W*You(?: are|'re|’re) (?:absolutely |quite )?right\b"
    r"|\b[Ii]n my (?:opinion|view)\b|\b[Ii]f you ask me\b"
)
_PRAISE = frozenset(
    [
        "wonderful",
        "amazing",
        "fantastic",
        "awesome",
        "terrific",
        "lovely",
        "delightful",
        "gorgeous",
        "superb",
        "marvellous",
        "marvelous",
        "fabulous",
        "brilliant",
        "stunning",
        "terrible",
        "horrible",
        "awful",
        "dreadful",
        "disgusting",
        "appalling",
        "boring",
    ]
)
"""Adjectives that say only what somebody thinks of a thing."""
_GREETING = re.compile(
    r"^\W*(?:Dear (?:[A-Z]|all\b|colleagues\b|friends\b)"
    r"|(?:Hi|Hello|Hey|Cheers|Sincerely|Regards|Congratulations)\b"
    r"|Good (?:morning|afternoon|evening|night|day)\b|Welcome to\b|Thank you\b"
    r"|Thanks\b(?! (?:\w+ ){0,4}to [^.!?,]{1,80}, \w+ \w+)"
    r"|You(?: are|'re|’re) (?:very |most )?welcome\b"
    r"|Yours (?:sincerely|faithfully|truly)\b"
    r"|(?:Best|Kind|Warm|With (?:best|kind)) (?:regards|wishes)\b"
    r"|If you(?:'d|’d| would)? (?:want|like|prefer|wish)\b[^.!?]{0,60}, I (?:can|could|will|would)\b|I can also\b)"
)
_ASKING = frozenset({"how", "what", "which", "why"})
_INSTRUCTION = re.compile(r"^\W*(?:Please\b|Let us\b|Let's\b|Let’s\b|You (?:should|ought|may want|might want)\b)")
_REASONS = frozenset({"because", "since", "as", "although", "though"})
_BESIDE = frozenset({"ccomp", "conj", "parataxis"})
_HELPING = frozenset({"aux", "auxpass"})
_HEADING = re.compile(r"[ \t]*#{1,6}[ \t]")


def silence(sentence: Sentence, written: str) -> Silence | None:
    """Why a sentence makes no claims; None where it may. `written` is its paragraph, with all its marks."""
    said = sentence.text.strip().rstrip("\"'”’)*_ ")
    if written.startswith("```"):
        return Silence.CODE
    if said.endswith("?"):
        return Silence.QUESTION
    if _HEADING.match(written) or _announces(sentence) or (is_heading(written) and _names_only(sentence)):
        return Silence.HEADING
    if _GREETING.match(said):
        return Silence.GREETING
    if _OPINION.search(said) or _is_praise(sentence):
        return Silence.OPINION
    return Silence.INSTRUCTION if _INSTRUCTION.match(said) or _is_imperative(sentence) else None


def _announces(sentence: Sentence) -> bool:
    """Return whether a sentence is a question's clause alone, which only says what follows: "How it came about"."""
    root, first = sentence.root, next((token for token in sentence if token.is_alpha), sentence[0])
    opening = [token.lower_ for token in sentence if token.is_alpha][:2]
    if root.lemma_ == "be" and "here" in opening and root.tag_ in {"VBZ", "VBP"}:
        return True  # "Sure, here's the gist of the recipe."
    asks = first.lower_ in _ASKING and root in {first.head, first.head.head} and first.dep_ not in SUBJECTS
    return asks and is_finite(root) and not any(child.dep_ in {"csubj", "csubjpass"} for child in root.children)


def _names_only(sentence: Sentence) -> bool:
    """Return whether a line in bold names what follows: without a verb of its own, and without a value but how many
    things follow: "ten things to know"."""
    numbers = (token for token in sentence if token.like_num and not any(c.tag_ == "TO" for c in token.head.subtree))
    return not is_verb(sentence.root) and not any(numbers)


def _is_praise(sentence: Sentence) -> bool:
    """Return whether a sentence only says what something is like to somebody: "It is a wonderful place to read!".

    Names, numbers and further clauses may be checked: "It is a lovely town on the Loire".
    """
    root = sentence.root
    told = [child for child in root.children if child.dep_ in {"attr", "acomp"}]
    if root.lemma_ != "be" or len(told) != 1 or any(child.dep_ in {"conj", "advcl"} for child in root.children):
        return False
    praised = any(token.lower_ in _PRAISE for token in (told[0], *told[0].children))
    after = [token for token in sentence if token.i > root.i]
    return praised and not any(t.pos_ in {"PROPN", "NUM"} or t.tag_ in {"VBD", "VBZ", "VBP"} for t in after)


def _is_imperative(sentence: Sentence) -> bool:
    """Whether the main verb is a bare form without a subject: "Run the installer again"."""
    return is_order(sentence.root) and not any(map(_states, sentence.root.children))


def stated_beside(sentence: Sentence) -> Iterator[Token]:
    """Yield the verbs of what an instruction states beside what it asks for: its reason, and what a colon or semicolon
    parts from it: "Cut the flowers often, because the display ends early"."""
    root = sentence.root
    if not is_order(root) and is_finite(root) and any(semicolon(c, root) for c in root.children if is_order(c)):
        yield root
    for order in (root, *(child for child in root.children if child.dep_ == "conj" and is_order(child))):
        for clause in order.children:
            finite = any(is_finite(t) for t in (clause, *clause.children) if t is clause or t.dep_ in _HELPING)
            if not finite or not any(child.dep_ in SUBJECTS | {"expl"} for child in clause.children):
                continue
            marks = {child.lower_ for child in clause.children if child.dep_ == "mark"}
            apart = semicolon(order, clause) or semicolon(clause, order)
            if (clause.dep_ == "advcl" and marks & _REASONS) or (apart and clause.dep_ in _BESIDE):
                yield clause
                yield from (
                    c for c in clause.children if c.dep_ == "conj" and any(g.dep_ in SUBJECTS for g in c.children)
                )


def _states(clause: Token) -> bool:
    """Whether a clause before an instruction states something: "The soup thickens, so add a little water"."""
    opened = any(child.dep_ == "mark" or child.tag_ in {"WRB", "WP", "WDT"} for child in clause.children)
    subject = any(child.dep_ in SUBJECTS for child in clause.children)
    return clause.i < clause.head.i and clause.tag_ in {"VBZ", "VBP", "VBD"} and subject and not opened
