"""Which pronouns of a sentence are given names in its claims, and what its claims then speak of."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from claimgraph.detect.extraction.atoms import Atom, Words, core
from claimgraph.detect.extraction.clauses import own_subject
from claimgraph.detect.extraction.coreference.mentions import is_expletive
from claimgraph.detect.extraction.coreference.naming import owning
from claimgraph.detect.text.parse import Paragraph
from claimgraph.detect.text.syntax import SUBJECTS, is_verb
from claimgraph.detect.text.words import words

if TYPE_CHECKING:
    from spacy.tokens import Span as Sentence
    from spacy.tokens import Token

_EMPTY = frozenset({"DT", "PRP", "PRP$", "WP", "WP$", "WDT", "WRB", "IN", "TO", "CC", "_SP", "PDT", "POS"})
_SPOKEN_OF = words(
    "he she it they we you him her them this these himself herself itself themselves ourselves oneself yourself myself"
)
_OPEN = frozenset({"it", "its", "they", "them", "their", "those"})
_BESIDE = frozenset({"behind", "beside", "around", "about"})
_ARGUMENTS = frozenset({"nsubj", "nsubjpass", "dobj", "pobj", "attr"})


def names_in(part: Paragraph, sentence: Sentence, names: Mapping[int, str]) -> dict[int, str]:
    """Return the names of a sentence's pronouns by token, without those of pronouns that speak of their clause's own
    subject, and with the owner of each "whose".
    """
    given = {i: name for i, name in names.items() if not (_is_reflexive(part.doc[i]) or _may_be_subject(part.doc[i]))}
    return given | _owners(part, sentence, given)


def _owners(part: Paragraph, sentence: Sentence, names: Mapping[int, str]) -> dict[int, str]:
    """Whose "whose" is: the noun that its relative clause modifies."""
    found = {}
    for token in sentence:
        clause = next((a for a in token.ancestors if a.dep_ == "relcl"), None) if token.tag_ == "WP$" else None
        if clause is not None:
            owner = part.words(core(clause.head), names).rpartition(", ")[2]  # "the organist, Ann Lee"
            found[token.i] = owning(owner)
    return found


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


def says_something(atom: Atom, names: Mapping[int, str]) -> bool:
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


def is_open(token: Token, names: Mapping[int, str]) -> bool:
    """Whether a word stands for what its label names, or for something that nothing was found for: "You can borrow
    one", "It runs nine hours"."""
    if token.lower_ in {"one", "ones"}:
        return token.dep_ in _ARGUMENTS and not any(child.dep_ != "punct" for child in token.children)
    told = token.lower_ in _OPEN or (token.lower_ in {"this", "these"} and token.dep_ in SUBJECTS)
    return told and token.i not in names and not is_expletive(token)
