"""Clauses that leave out what the clause before says: "A cable is in the box, a charger is not".

Such a clause is said in full, with the words of the one before: "A charger is not in the box."
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from claimgraph.detect.extraction.assertion import asserted
from claimgraph.detect.extraction.atoms import Atom, atoms, core
from claimgraph.detect.extraction.clause_sentence import ClauseSentence, spoken_sentence
from claimgraph.detect.extraction.clauses import clauses, own_subject
from claimgraph.detect.text.syntax import conjuncts, is_verb, strip, verb_group

if TYPE_CHECKING:
    from spacy.tokens import Span, Token

    from claimgraph.detect.text.parse import Paragraph

_CONTRAST = frozenset({"while", "whereas", "although", "though", "but"})
_BESIDE = frozenset({"neg", "cc", "punct", "mark", "nsubj", "nsubjpass"})
_ADVERBS = frozenset({"too", "either", "however", "also", "so"})


def full_clauses(part: Paragraph, sentence: Span, names: Mapping[int, str]) -> Iterator[tuple[Atom, ClauseSentence]]:
    """Yield each atom of the elliptic clauses of a sentence, with the clause in full as its statement."""
    for verb in sentence:
        before = _clause_before(verb)
        if before is None or not asserted(before):
            continue
        subject = own_subject(verb)
        found = [atom for clause in clauses(sentence) if clause.verb == before for atom in atoms(clause)]
        if subject is not None and found:
            filled = [_filled(atom, verb, before, core(one)) for atom in found for one in conjuncts(subject)]
            said = _statement(part, verb, before, subject, names)
            yield from ((atom, said) for atom in dict.fromkeys(filled))


def is_elliptic(verb: Token) -> bool:
    """Return whether a clause leaves out its predicate, and the clause before has it."""
    return _clause_before(verb) is not None


def _clause_before(verb: Token) -> Token | None:
    """Return the verb whose predicate an elliptic clause shares; None for other clauses."""
    before = verb.head
    if not is_verb(verb) or verb == before or not is_verb(before) or before.i > verb.i or verb.text.startswith("'"):
        return None
    opening = {child.lower_ for child in verb.children if child.dep_ == "mark"}
    beside = verb.dep_ == "conj" or (verb.dep_ == "advcl" and bool(opening & _CONTRAST))
    helping = verb.lemma_ in {"be", "have", "do"} or verb.tag_ == "MD"
    bare = all(child.dep_ in _BESIDE or child.lower_ in _ADVERBS for child in verb.children)
    denied = any(child.dep_ == "neg" for child in (*verb.children, *before.children))
    if not (beside and helping and bare and denied) or own_subject(verb) is None:
        return None
    return before if _takes(verb, before) else None


def _takes(verb: Token, before: Token) -> bool:
    """Return whether the auxiliary that is left goes with the verb before."""
    helpers = [child for child in before.children if child.dep_ in {"aux", "auxpass"}]
    if verb.lemma_ == "do":
        return before.lemma_ != "be" and not any(h.lemma_ in {"have", "be"} for h in helpers)
    if verb.tag_ == "MD":
        return any(h.tag_ == "MD" for h in helpers)
    return before.lemma_ == verb.lemma_ or any(h.lemma_ == verb.lemma_ for h in helpers)


def _predicate(verb: Token, before: Token) -> list[Token | str]:
    """Return the auxiliary and negation that stand there, and the verb left out in the form that they take."""
    own: list[Token | str] = [t for t in verb_group(verb) if t.lower_ not in _ADVERBS]
    if before.lemma_ == verb.lemma_ and verb.lemma_ == "be":
        return own
    group = verb_group(before)
    if verb.lemma_ in {"be", "have"}:
        helper = next((t for t in group if t.lemma_ == verb.lemma_), group[0])
        return [*own, *(t for t in group if t.i > helper.i and t.dep_ != "neg")]
    helpers = [t for t in group if t.dep_ == "auxpass"]
    return [*own, *(["be", before] if helpers else [before.lemma_])]


def _filled(atom: Atom, verb: Token, before: Token, subject: tuple[Token, ...]) -> Atom:
    """Return an atom of the clause before with the subject and the auxiliary of the elliptic one."""
    group = set(verb_group(before))
    rest = [piece for piece in atom.predicate if isinstance(piece, str) or piece not in group]
    said, object = _predicate(verb, before), atom.object
    if atom.lemma is not None or all(piece in group for piece in object):
        return replace(atom, subject=subject, predicate=tuple(said[:-1]), object=_tokens(said[-1:]) or object)
    return replace(atom, subject=subject, predicate=(*said, *rest))


def _tokens(pieces: list[Token | str]) -> tuple[Token, ...]:
    return tuple(piece for piece in pieces if not isinstance(piece, str))


def _statement(part: Paragraph, verb: Token, before: Token, subject: Token, names: Mapping[int, str]) -> ClauseSentence:
    group = verb_group(before)
    after = [t for t in before.subtree if t.i > group[-1].i and t not in set(verb.subtree)]
    others = {t for child in before.children if child.dep_ == "conj" for t in child.subtree}
    rest = strip([t for t in after if t not in others])
    return spoken_sentence(part, [*strip(list(subject.subtree)), *_predicate(verb, before), *rest], names)
