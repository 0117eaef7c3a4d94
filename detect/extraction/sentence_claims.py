"""What a sentence claims: its clauses' facts, and the rest of it where these leave words out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from claimgraph.detect.extraction.assertion import asserted
from claimgraph.detect.extraction.atoms import Atom, atoms
from claimgraph.detect.extraction.claim_building import built
from claimgraph.detect.extraction.clause_sentence import ClauseSentence
from claimgraph.detect.extraction.clause_words import main_words
from claimgraph.detect.extraction.clauses import Clause, clauses, own_subject
from claimgraph.detect.extraction.ellipsis import full_clauses, is_elliptic
from claimgraph.detect.extraction.gapping import gapped_clauses, gaps, without
from claimgraph.detect.extraction.neither_nor import denied_each, denied_pairs
from claimgraph.detect.extraction.nominals import between, lives, nominal_atoms, possession, situations
from claimgraph.detect.extraction.pronoun_names import names_in, says_something
from claimgraph.detect.extraction.statements import statement
from claimgraph.detect.extraction.whole_sentence import whole, whole_clause
from claimgraph.detect.extraction.worthiness import stated_beside
from claimgraph.detect.text.parse import Paragraph
from claimgraph.detect.text.syntax import SUBJECTS, is_finite, is_full, is_order, misread, semicolon
from claimgraph.kgstore.model import Claim, Document

if TYPE_CHECKING:
    from spacy.tokens import Span as Sentence
    from spacy.tokens import Token

_SOME = frozenset({"both", "neither", "none", "some", "most", "many", "few", "all", "each", "others"})
_MISSED = 3
"""Words with content in a row that are too many to be left out."""
_TELLING = 3
"""Words and signs of what an instruction states, at least."""


def sentence_claims(
    document: Document, part: Paragraph, sentence: Sentence, names: Mapping[int, str]
) -> Iterator[Claim]:
    """The claims of a sentence, with the names `names` in the place of its pronouns, by token."""
    names = names_in(part, sentence, names)
    found = [(atom, said) for atom, said in _facts(part, sentence, names) if says_something(atom, names)]
    claims = [built(document, part, atom, said, names) for atom, said in found]
    yield from claims
    if _left_out(part, sentence, claims):
        yield from whole_claims(document, part, sentence, names, claims)


def claims_beside(document: Document, part: Paragraph, sentence: Sentence, names: Mapping[int, str]) -> Iterator[Claim]:
    """The claims of what an instruction states beside what it asks for."""
    for verb in stated_beside(sentence):
        own = set(main_words(verb))
        if len(own) < _TELLING:
            continue
        found = [
            (atom, said)
            for atom, said in _facts(part, sentence, names)
            if own.issuperset(atom.subject) and own.issuperset(atom.object) and says_something(atom, names)
        ]
        yield from (built(document, part, *rest, names) for rest in found or whole_clause(part, verb, names))


def whole_claims(
    document: Document, part: Paragraph, sentence: Sentence, names: Mapping[int, str], claims: Sequence[Claim] = ()
) -> Iterator[Claim]:
    """The sentence, or what of it stands in none of its claims, as claims of its whole clauses."""
    yield from (built(document, part, *rest, names) for rest in whole(part, sentence, names, claims))


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


def _facts(part: Paragraph, sentence: Sentence, names: Mapping[int, str]) -> Iterator[tuple[Atom, ClauseSentence]]:
    """Each atom of a sentence with the statement of its clause; none of a sentence whose parse cannot be right."""
    if misread(sentence):
        return
    yield from ((atom, ClauseSentence()) for atom in (*lives(sentence), *situations(sentence)))
    yield from full_clauses(part, sentence, names)
    denied = denied_pairs(sentence)
    yield from denied_each(part, denied, names)
    lacking = gaps(sentence)
    yield from gapped_clauses(part, lacking, names)
    gapped = {token for gap in lacking for token in gap.tokens}
    for clause in clauses(sentence):
        if not _is_stated(clause) or _neither(clause.subject) or clause.verb in denied:
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
