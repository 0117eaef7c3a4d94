"""Statements: the clause a claim was read from, as a sentence that can be understood alone.

A triple drops what it has no place for: "only", "by more than two to one", "when the vote was over". The statement
keeps all of it, with the names that pronouns stand for. Of a clause that is written around another (a relative clause,
an apposition, the second of two verbs) it repeats the subject: "Hahn, who was born in Frankfurt, moved" gives "Hahn was
born in Frankfurt." and "Hahn moved.".
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from claimgraph.detect.extraction.atoms import Atom
from claimgraph.detect.extraction.clauses import Clause, ClauseKind
from claimgraph.detect.text.syntax import RELATIVE, SUBJECTS, is_verb, phrase, semicolon, strip, verb_group

if TYPE_CHECKING:
    from spacy.tokens import Span, Token

    from claimgraph.detect.text.parse import Paragraph

_APART = frozenset({"relcl", "appos", "parataxis"})
"""Dependents that are statements of their own."""
_CAPITALISED = frozenset({"The", "A", "An", "This", "These", "All", "Both", "Some", "His", "Her", "Their", "Its"})
_PAUSES = frozenset({",", "--", "–", "—"})


@dataclass(frozen=True, slots=True)
class ClauseSentence:
    """A clause as a sentence, with the tokens that it was made of; both empty where the triple says as much."""

    text: str = ""
    tokens: tuple[Token, ...] = ()


def statement(part: Paragraph, clause: Clause, found: Sequence[Atom], names: Mapping[int, str]) -> ClauseSentence:
    """The clause as a sentence; empty for appositions, titles, possessives and supplied verbs.

    `found` are the clause's atoms, `names` the words in place of tokens (coreference.Discourse.read).
    """
    verb = clause.verb
    if verb is None or not found or clause.kind is ClauseKind.REDUCED or verb.dep_ in {"xcomp", "pcomp"}:
        return ClauseSentence()
    main = _main(verb, {t.i for atom in found for t in _tokens(atom)})
    if _own_subject(verb):
        return _made(part, _trimmed(main), names)
    if verb.dep_ in {"relcl", "acl"} and not _relative_subject(verb):
        return ClauseSentence()
    first = min((token.i for token in clause.predicate), default=verb.i)
    rest = _trimmed([token for token in main if token.i >= first])
    return _made(part, [*found[0].subject, *rest], names)


def _made(part: Paragraph, tokens: Sequence[Token], names: Mapping[int, str]) -> ClauseSentence:
    return ClauseSentence(_sentence(_said(part, tokens, names)), tuple(tokens))


def whole(part: Paragraph, sentence: Span, names: Mapping[int, str]) -> Iterator[tuple[Atom, ClauseSentence]]:
    """A sentence as one claim, for what no clause of it says: what stands before its verb, the verb, and the rest."""
    root = sentence.root if is_verb(sentence.root) else next((t for t in sentence if is_finite(t)), None)
    if root is None:
        return
    verbs = verb_group(root)
    first, last = verbs[0].i, verbs[-1].i
    before = strip([token for token in sentence if token.i < first])
    after = strip([token for token in sentence if token.i > last])
    said = next((child for child in root.children if child.dep_ in SUBJECTS and child.i < first), None)
    subject = phrase(said) if said is not None else before
    if subject and after:
        every = [token for token in sentence if not token.is_space]
        yield Atom(tuple(subject), tuple(verbs), tuple(after)), _made(part, every, names)


def is_finite(token: Token) -> bool:
    """Whether a verb has a tense of its own."""
    return token.tag_ in {"VBD", "VBZ", "VBP", "MD"}


def _own_subject(verb: Token) -> bool:
    """Whether the verb has its subject beside it, in a clause that could stand alone."""
    holders = [verb, *(child for child in verb.children if child.dep_ in {"aux", "auxpass"})]
    beside = any(child.dep_ in SUBJECTS or child.dep_ == "expl" for one in holders for child in one.children)
    return beside and verb.dep_ not in {"relcl", "acl"}


def _relative_subject(verb: Token) -> bool:
    """Whether a relative clause begins with its subject: "who won", not "whom she met"."""
    return any(child.dep_ in SUBJECTS and child.lower_ in RELATIVE for child in verb.children)


def _tokens(atom: Atom) -> Iterator[Token]:
    yield from (*atom.subject, *atom.object, *(piece for piece in atom.predicate if not isinstance(piece, str)))


def _main(verb: Token, held: set[int]) -> list[Token]:
    """The verb's subtree in text order, without the word that subordinates it and without clauses of their own."""
    kept: list[Token] = []
    opening = {child for child in verb.children if child.dep_ == "mark" or (child.tag_ == "WRB" and child.i < verb.i)}
    _gather(verb, held, opening, kept)
    return sorted(kept, key=lambda token: token.i)


def _gather(token: Token, held: set[int], dropped: set[Token], kept: list[Token]) -> None:
    kept.append(token)
    apart = {child for child in token.children if child in dropped or _apart(child, held)}
    for child in token.children:
        if child not in apart and not _joins(child, apart):
            _gather(child, held, set(), kept)


def _apart(child: Token, held: set[int]) -> bool:
    """Whether a dependent is a statement of its own, or a sentence that only a semicolon joins."""
    if child.dep_ in _APART:
        return not any(token.i in held for token in child.subtree)
    if child.dep_ == "ccomp" and child.i < child.head.i:
        return semicolon(child, child.head)
    return child.dep_ == "conj" and is_verb(child) and is_verb(child.head)


def _joins(child: Token, apart: set[Token]) -> bool:
    return child.dep_ == "cc" and any(other.i > child.i and other.dep_ == "conj" for other in apart)


def _trimmed(tokens: Sequence[Token]) -> list[Token]:
    """Without punctuation and conjunctions at the ends, and without commas beside what was left out."""
    ends = {token.i for token in tokens}
    beside = [t for t in tokens if t.is_punct and t.text in _PAUSES and not {t.i - 1, t.i + 1} <= ends]
    return strip([token for token in tokens if token not in beside])


def _said(part: Paragraph, tokens: Sequence[Token], names: Mapping[int, str]) -> str:
    """The tokens with the names for pronouns; a pronoun stays where its name stands before it."""
    spoken = {**names, **{t.i: _inside(names[t.i]) for t in tokens[1:] if names.get(t.i)}}
    before = ""
    for token in tokens:
        name = spoken.get(token.i)
        if name and token.tag_ in {"PRP", "PRP$"} and name.removesuffix("'s").removesuffix("'") in before:
            del spoken[token.i]
        before += f" {name or token.text}"
    return part.words(tokens, spoken)


def _inside(name: str) -> str:
    """Return a name as it is written inside a sentence: "the mayor" for "The mayor"."""
    return name[:1].lower() + name[1:] if name.split()[0] in _CAPITALISED else name


def _sentence(words: str) -> str:
    words = " ".join(words.replace(" ,", ",").replace(" ;", ";").split()).rstrip(" ,;:–—-")
    if not words:
        return ""
    end = "" if words.rstrip("\"'”’)")[-1:] in {".", "!", "?"} else "."
    return f"{words[:1].upper()}{words[1:]}{end}"
