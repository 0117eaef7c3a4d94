"""Statements: the clause a claim was read from, as a sentence that can be understood alone.

A triple drops what it has no place for: "only", "by more than two to one", "when the vote was over". The statement
keeps all of it, with the names that pronouns stand for. Of a clause that is written around another (a relative clause,
an apposition, the second of two verbs) it repeats the subject: "Hahn, who was born in Frankfurt, moved" gives "Hahn was
born in Frankfurt." and "Hahn moved.".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from claimgraph.detect.extraction.assertion import follows_clause, relative_gap, stands_alone
from claimgraph.detect.extraction.atoms import Atom, being, core
from claimgraph.detect.extraction.clause_sentence import ClauseSentence, as_sentence, made, whole_sentence, words_said
from claimgraph.detect.extraction.clause_words import (
    broken,
    counts_nothing,
    gathered,
    ill_formed,
    main_words,
    parts,
    restricted_after,
    shared_front,
    trimmed,
)
from claimgraph.detect.extraction.clauses import (
    Clause,
    is_existential,
    joint_antecedent,
    named_by,
    own_subject,
    told_anew,
)
from claimgraph.detect.extraction.coreference.grammar import is_bound
from claimgraph.detect.extraction.coreference.mentions import PRONOUNS, is_expletive
from claimgraph.detect.extraction.listed_statement import of_one_subject
from claimgraph.detect.extraction.nominal_sentence import aside_sentence, nominal_sentence
from claimgraph.detect.extraction.relative_sentence import relative_sentence
from claimgraph.detect.text.syntax import (
    RELATIVE,
    SUBJECTS,
    after_comma,
    is_verb,
    names_other,
    phrase,
    verb_group,
    with_auxiliaries,
)

if TYPE_CHECKING:
    from spacy.tokens import Token

    from claimgraph.detect.text.parse import Paragraph


_PARTICIPLES = frozenset({"being", "having", "been"})


def statement(part: Paragraph, clause: Clause, found: Sequence[Atom], names: Mapping[int, str]) -> ClauseSentence:
    """The clause with the atoms `found` as a sentence; empty for what has none, and where the triple says as much.

    What is no sentence of its own ("which towns rents fell in", "spilling oil") is said by that of the clause around
    it; where no verb is around it, by all of the sentence. `names` are the words in place of tokens
    (coreference.Discourse.read).
    """
    verb = clause.verb
    if not found:
        return ClauseSentence()
    if verb is None:
        return nominal_sentence(part, clause, found[0], names)
    said = _clause_sentence(part, verb, names)
    if said.tokens and verb not in said.tokens:
        said = aside_sentence(part, verb, names) or whole_sentence(part, verb.sent, names)
    if _unclear(said, names):
        return whole_sentence(part, verb.sent, names)
    return of_one_subject(part, clause, said, names)


def _clause_sentence(part: Paragraph, verb: Token, names: Mapping[int, str]) -> ClauseSentence:
    host = _host(verb)
    if host is None:
        return whole_sentence(part, verb.sent, names)
    gap = relative_gap(host)
    if gap is not None:
        return relative_sentence(part, host, gap, names)
    if _has_subject(host):
        tokens = _own_clause(host)
        return whole_sentence(part, verb.sent, names) if _needs_more(host, tokens, names) else made(part, tokens, names)
    return _with_shared_subject(part, host, names) or whole_sentence(part, verb.sent, names)


def _own_clause(verb: Token) -> list[Token]:
    """The words of a clause that has a subject of its own, without what joins it to its sentence."""
    kept = main_words(verb)
    first = verb_group(verb)[0].i
    kept = [t for t in kept if not (t.text == ":" and t.i == first - 1)]
    if _in_brackets(verb):
        kept = [t for t in kept if (t.text != ")" if t.i >= first else not _in_brackets(t))]
    tokens = trimmed(kept)
    return tokens[1:] if tokens and tokens[0].lower_ == "so" and not tokens[0].is_sent_start else tokens


def _needs_more(verb: Token, tokens: Sequence[Token], names: Mapping[int, str]) -> bool:
    """Whether the words of a clause are no sentence without those around it."""
    that = verb.dep_ == "ccomp" and bool(tokens) and tokens[0].lower_ == "that" and not tokens[0].is_sent_start
    return (
        that
        or broken(tokens)
        or ill_formed(verb, tokens)
        or restricted_after(tokens)
        or (verb.dep_ == "conj" and counts_nothing(tokens[-1]))
        or _is_open(verb, names)
    )


def _with_shared_subject(part: Paragraph, verb: Token, names: Mapping[int, str]) -> ClauseSentence | None:
    """A clause with the subject of another, or with the noun that it modifies; None where that is no sentence."""
    subject = _subject(verb)
    if verb.dep_ == "conj" and _disagrees(verb):
        return None
    first = min(token.i for token in verb_group(verb))
    rest = trimmed(sorted({*_fronted(verb), *(token for token in main_words(verb) if token.i >= first)}))
    if not subject or not rest or broken(rest) or (rest[-1].dep_ == "dobj" and counts_nothing(rest[-1])):
        return None
    if verb.dep_ == "acl" and not after_comma(verb) and not any(t.tag_ in {"NNP", "NNPS"} for t in subject):
        around = next((token for token in verb.ancestors if is_verb(token)), None)
        if around is not None:
            return _clause_sentence(part, around, names)
    if verb.dep_ in {"acl", "advcl"} or (verb.dep_ == "conj" and verb.tag_ in {"VBN", "VBD"} and _reduced(verb.head)):
        return _passive(part, subject, [t for t in rest if t.lower_ not in _PARTICIPLES], verb, names)
    whole = [*shared_front(verb), *subject, *with_auxiliaries(verb, rest)]
    return None if ill_formed(verb, whole) else made(part, whole, names)


def _disagrees(verb: Token) -> bool:
    """Whether a verb in the singular was given the plural subject of another: "Both ends moved: a million is least"."""
    first = verb.head
    while first.dep_ == "conj" and is_verb(first.head) and own_subject(first) is None:
        first = first.head
    own = own_subject(first)
    finite = [t for t in (verb, *verb.children) if t is verb or t.dep_ in {"aux", "auxpass"}]
    return own is not None and own.tag_ == "NNS" and not own.ent_type_ and any(t.tag_ == "VBZ" for t in finite)


def _fronted(verb: Token) -> list[Token]:
    """The phrase of time or place between a conjunction or relative pronoun and its verb: "and at one time contained
    64,000 spindles", "which so far ran only in Oslo"."""
    own = own_subject(verb)
    if verb.dep_ == "relcl" and own is not None and own.lower_ in RELATIVE:
        fronts = [c for c in verb.children if c.dep_ in {"advmod", "prep", "npadvmod"} and own.i < c.i < verb.i]
        return [token for front in fronts for token in front.subtree]
    fronts = [c for c in verb.children if c.dep_ in {"prep", "npadvmod"} and c.i < verb.i]
    return list(fronts[0].subtree) if verb.dep_ == "conj" and len(fronts) == 1 else []


def _is_open(verb: Token, names: Mapping[int, str]) -> bool:
    """Whether a subordinate clause is about a pronoun that nothing was found for: "When it resumed, the rain fell"."""
    own = own_subject(verb) if verb.dep_ == "advcl" else None
    return own is not None and own.lower_ in PRONOUNS and own.i not in names and not is_expletive(own)


def _reduced(verb: Token) -> bool:
    """Whether a participle on a noun has no auxiliary: "built in 1861"."""
    return verb.dep_ == "acl" and not any(child.dep_ in {"aux", "auxpass"} for child in verb.children)


def _unclear(said: ClauseSentence, names: Mapping[int, str]) -> bool:
    """Whether a pronoun that nothing was found for, or another word that stands for what was said, may stand for
    something in an earlier clause of the sentence."""
    if any(map(_stands_for_said, said.tokens)) and said.tokens[0].i > said.tokens[0].sent.start:
        return True
    if said.tokens and said.tokens[0].tag_ == "WP$" and said.tokens[0].i not in names:
        return True
    first = next((t.i for t in said.tokens), 0)
    open_ones = [t for t in said.tokens if _may_be_other(t) and t.i not in names]
    own = {
        t.i
        for one in open_ones
        if one.dep_ == "dobj"
        for c in one.head.children
        if c.dep_ in SUBJECTS
        for t in c.subtree
    }
    nouns = {t.i for t in said.tokens if t.tag_.startswith("NN") and t.i >= said.tokens[0].i} - own
    return any(
        t.i not in nouns and t.tag_.startswith("NN") and t.i < one.i
        for one in open_ones
        for t in one.doc[one.sent.start : one.i]
    ) and any(not any(noun < one.i for noun in nouns) for one in open_ones if one.i >= first)


def _may_be_other(token: Token) -> bool:
    """Whether a pronoun may stand for what another clause names: it is not expletive, not "himself", and not
    the "their" of "no one lost their life"."""
    own = is_expletive(token) or is_bound(token) or token.lower_.endswith(("self", "selves"))
    return token.lower_ in PRONOUNS and not own


def _stands_for_said(token: Token) -> bool:
    """Whether a word says something only together with a clause before: "the nearest one", "do so", "contain less"."""
    bare = not any(child.dep_ in {"prep", "relcl", "acl", "advcl", "ccomp"} for child in token.children)
    if token.tag_ == "CD" and token.dep_ in SUBJECTS and token.ent_type_ != "DATE":
        return bare
    if token.lower_ == "those":
        return token.dep_ in SUBJECTS
    if token.lower_ in {"one", "ones"}:
        return bare and any(child.dep_ in {"det", "amod"} and child.lower_ != "no" for child in token.children)
    if token.lower_ in {"that", "this"}:
        return token.dep_ in {"dobj", "pobj"} and token.i > token.head.i
    if token.lower_ in {"less", "more", "fewer"}:
        return bare and token.dep_ == "dobj"
    return token.lower_ == "so" and token.head.lemma_ == "do"


def _has_subject(verb: Token) -> bool:
    """Whether a subject stands beside the verb that is more than "who" or "which"."""
    own = own_subject(verb) or next((child for child in verb.children if child.dep_ == "expl"), None)
    return own is not None and own.lower_ not in RELATIVE


def _host(verb: Token) -> Token | None:
    """The verb whose statement says what a clause says; None where only the sentence does."""
    if _tells_date(verb):
        return _host(verb.head) if is_verb(verb.head) else None
    if _has_subject(verb) and verb.dep_ not in {"relcl", "acl", "xcomp", "pcomp"} and not _goes_on_when(verb):
        return verb
    if stands_alone(verb):
        return verb
    if follows_clause(verb):
        return None
    if verb.dep_ in {"acl", "advcl"} and verb.tag_ == "VBN" and not any(c.dep_ == "mark" for c in verb.children):
        return verb
    if verb.dep_ == "conj" and is_verb(verb.head):
        first = _host(verb.head)
        return verb if first == verb.head and parts(verb) else first
    around = next((token for token in verb.ancestors if is_verb(token)), None)
    return _host(around) if around is not None else None


def _tells_date(verb: Token) -> bool:
    """Whether a clause says what happened at a date before it, which it needs: "in 1899, when tea was cheap"."""
    when = next((c for c in verb.children if c.lower_ == "when" and c.i < verb.i), None)
    if when is None or verb.dep_ not in {"advcl", "relcl"} or when.i < 2:
        return False
    before = when.nbor(-1)
    date = before.nbor(-1) if before.text == "," else before
    return date.ent_type_ == "DATE" and date.i > verb.sent.start


def _goes_on_when(verb: Token) -> bool:
    """Whether a clause goes on a relative clause of time or place: "June, when the sea is warm and prices are low"."""
    first = verb.head
    return verb.dep_ == "conj" and first.dep_ == "relcl" and any(child.tag_ == "WRB" for child in first.children)


def _subject(verb: Token) -> list[Token]:
    """The words of the subject that a verb shares with another, or of the noun that it modifies."""
    own = own_subject(verb)
    name = next((c for c in own.children if c.dep_ == "appos" and names_other(c)), None) if own is not None else None
    if name is not None and verb.dep_ not in {"relcl", "acl"}:
        return list(core(name))
    if own is not None and (verb.dep_ not in {"relcl", "acl"} or relative_gap(verb) is not None):
        said = gathered(own, {child for child in own.children if _is_added(child)})
        aside = {t for one in said if one.dep_ == "relcl" and after_comma(one) for t in one.subtree}
        return trimmed([token for token in said if token not in aside and not _in_brackets(token)])
    if verb.dep_ in {"conj", "advcl"} and is_verb(verb.head):
        return _subject(verb.head)
    noun = verb.head
    if own is not None and any(t.tag_ == "WP$" for t in own.children):
        return list(phrase(own))
    if noun.dep_ == "attr" and is_verb(noun.head) and not told_anew(noun, verb) and not is_existential(noun.head):
        return _subject(noun.head)
    joint = joint_antecedent(verb)
    if joint is not None:
        return phrase(joint, [verb], loose=True)
    noun = named_by(noun)
    return phrase(noun, [verb]) if noun.tag_ == "NNS" else list(core(noun, verb))


def _in_brackets(token: Token) -> bool:
    """Whether a token, or a bracket, belongs to what its sentence puts between brackets."""
    before = [t.text for t in token.doc[token.sent.start : token.i + 1]]
    return before.count("(") > before.count(")") or token.text == ")"


def _is_added(child: Token) -> bool:
    """Whether what hangs on a subject only adds to it, between commas or brackets."""
    return child.dep_ not in {"conj", "cc", "punct"} and child.i > child.head.i and after_comma(child)


def _passive(
    part: Paragraph, subject: Sequence[Token], rest: Sequence[Token], verb: Token, names: Mapping[int, str]
) -> ClauseSentence:
    """A participle as a sentence, with the verb that it was written without: "Led by Ann, the team won", "Having lost
    an eye, she gave up"."""
    head = next((t for t in subject if t.dep_ in SUBJECTS), verb.head if not is_verb(verb.head) else subject[-1])
    be = being(verb, head)
    if any(token.ent_type_ == "DATE" for token in rest):
        be = {"is": "was", "are": "were"}.get(be, be)
    auxiliaries = {child.lower_ for child in verb.children if child.dep_ in {"aux", "auxpass"}}
    be = "had" if "having" in auxiliaries and "been" not in auxiliaries else be
    plain = {rest[0].i: f"{be} {rest[0].lower_ if rest[0].is_sent_start else rest[0].text}"}
    words = words_said(part, [*subject, *rest], {**names, **plain})
    return ClauseSentence(as_sentence(words), (*subject, *rest))
