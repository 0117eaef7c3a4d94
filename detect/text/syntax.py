"""Read a dependency tree: phrases, coordination, verb groups and their arguments, in spaCy's English labels.

Questions about grammar only; clauses.py decides what becomes a claim.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from claimgraph.detect.text.verbs import INTRANSITIVE

if TYPE_CHECKING:
    from spacy.tokens import Span, Token

Change = tuple[int, int, str]
"""A mend of a tree: a token, its new head and its new relation; a token that is its own head is a root."""
SUBJECTS = frozenset({"nsubj", "nsubjpass", "csubj", "csubjpass"})
OBJECTS = frozenset({"dobj", "attr", "oprd", "acomp", "dative"})
CLAUSES = frozenset({"relcl", "acl", "advcl", "ccomp", "parataxis"})
RELATIVE = frozenset({"who", "whom", "which", "that", "whose"})
_LOOSE = frozenset({"relcl", "appos", "parataxis", "cc", "conj", "preconj", "advcl", "dep"})
_BRACKETS = {"(": ")", ")": "(", "[": "]", "]": "["}
_AND_NAME = [("cc", "CC"), ("conj", "NNP")]
_SUBORDINATING = frozenset({"after", "before", "since", "until", "because", "although", "though", "while", "as"})
_PARTICIPLES = ("en", "wn", "ne", "rn")
"""Ends of participles that no verb of the past has."""
_ALIKE = frozenset(
    {"bought", "brought", "found", "held", "kept", "lent", "lost", "made", "paid", "put", "sent", "sold"}
)
"""Irregular participles that are verbs of the past as well."""
_GROUP = frozenset({"aux", "auxpass", "neg", "prt"})


def conjuncts(head: Token) -> list[Token]:
    """Return the token and all tokens coordinated with it, in text order; "Finch & Wren" is one name."""
    found = [head, *_second_subjects(head)]
    for token in found:
        more = (c for c in token.children if c.dep_ == "conj" and same_kind(head, c) and not _is_excluded(c))
        found.extend(child for child in more if not is_one_name(token))
    return found


def _is_excluded(conjunct: Token) -> bool:
    """Return whether something is joined only to be ruled out: "in 25 minutes rather than 50", "tea, not coffee"."""
    before = conjunct.doc[conjunct.left_edge.i - 1].lower_ if conjunct.left_edge.i else ""
    return not is_verb(conjunct) and before in {"than", "not"}


def _second_subjects(head: Token) -> list[Token]:
    """Return what "and" joins to a subject where the parser took it for another subject of the verb."""
    joins = head.dep_ in {"nsubj", "nsubjpass"} and {child.dep_ for child in head.children} & {"cc", "conj"} == {"cc"}
    others = (child for child in head.head.children if child.dep_ == head.dep_ and child.i > head.i)
    return [child for child in others if same_kind(head, child)] if joins else []


def is_one_name(token: Token) -> bool:
    """Return whether what is joined to a name belongs to it: "Finch & Wren", "her book, War and Peace"."""
    if any(child.text == "&" for child in token.children):
        return True
    one = token.dep_ == "appos" and token.tag_ == "NNP" and token.head.tag_ == "NN" and token.ent_type_ != "PERSON"
    return one and [(c.dep_, c.tag_) for c in token.children if c.dep_ in {"cc", "conj"}] == _AND_NAME


def same_kind(a: Token, b: Token) -> bool:
    """Return whether both are verbs or neither is: parsers also coordinate a noun with the clause after it."""
    return is_verb(a) == is_verb(b)


def is_verb(token: Token) -> bool:
    """Return whether the token is a verb or auxiliary."""
    return token.tag_.startswith("VB") or token.tag_ == "MD"


def is_finite_group(verb: Token) -> bool:
    """Return whether a verb or one of its auxiliaries has a tense."""
    return any(is_finite(t) for t in (verb, *verb.children) if t is verb or t.dep_ in {"aux", "auxpass"})


def is_order(verb: Token) -> bool:
    """Return whether a verb is a bare form without subject and auxiliary, but "do": "Run it again", "Do not run it"."""
    helped = any(c.dep_ in {"aux", "auxpass"} and c.lower_ not in {"do", "don"} for c in verb.children)
    own = any(child.dep_ in SUBJECTS or child.dep_ == "expl" for child in verb.children)
    return verb.tag_ == "VB" and not helped and not own


def is_finite(token: Token) -> bool:
    """Return whether a verb has a tense of its own."""
    return token.tag_ in {"VBD", "VBZ", "VBP", "MD"}


def phrase(head: Token, drop: Iterable[Token] = (), loose: bool = False) -> list[Token]:
    """Return the tokens of the phrase under `head`, in text order, without punctuation at its ends.

    The subtrees of `drop` are left out and, unless `loose`, those coordinated with the head or commenting on it.
    """
    dropped = set(drop)
    if not loose:
        dropped.update(child for child in head.children if _comments(child))
    kept: list[Token] = []
    _gather(head, dropped, kept)
    return strip(_filled(_with_commas(sorted(kept, key=lambda token: token.i))))


def _filled(tokens: list[Token]) -> list[Token]:
    """Return the tokens without empty pairs of brackets and quotes."""
    empty = [i for i, (a, b) in enumerate(pairwise(tokens)) if a.text + b.text in {"()", '""', "[]"}]
    return [token for i, token in enumerate(tokens) if i not in empty and i - 1 not in empty]


def _with_commas(tokens: list[Token]) -> list[Token]:
    """Return the tokens with the punctuation between them: "August 24, 1947"."""
    found: list[Token] = []
    for token in tokens:
        if found and token.i == found[-1].i + 2 and token.doc[token.i - 1].is_punct:
            found.append(token.doc[token.i - 1])
        found.append(token)
    return found


def _gather(token: Token, dropped: set[Token], kept: list[Token]) -> None:
    kept.append(token)
    for child in token.children:
        if child not in dropped:
            _gather(child, dropped, kept)


def _comments(child: Token) -> bool:
    if child.dep_ == "punct":
        return child.text in {",", ";", ":", "--", "–", "—"}
    if child.dep_ in {"cc", "conj"} and is_one_name(child.head):
        return False
    return child.dep_ in _LOOSE or (child.dep_ == "acl" and child.i > child.head.i and after_comma(child))


def names_other(head: Token) -> bool:
    """Return whether an apposition is the name of what its noun only describes: "a second vessel, the tug Orm"."""
    noun = head.head
    return head.tag_ in {"NNP", "NNPS"} and noun.tag_ == "NN" and not noun.ent_type_ and head.i > noun.i


def after_comma(token: Token) -> bool:
    """Return whether the phrase of the token begins after a comma, dash or bracket."""
    first = token.left_edge.i
    return first > 0 and token.doc[first - 1].text in {",", "(", "--", "–", "—", ";"}


def semicolon(first: Token, second: Token) -> bool:
    """Return whether a semicolon or colon stands between two tokens, in this order: a parser may take the first clause
    for an object of the second.
    """
    return any(token.text in {";", ":"} for token in first.doc[first.i : second.i])


def alternative(verb: Token) -> bool:
    """Return whether a coordinated verb is one of two that "or" joins: "must return or destroy the copies"."""
    joined = (child for child in verb.head.children if child.dep_ == "cc")
    return verb.dep_ == "conj" and any(child.lower_ in {"or", "nor"} for child in joined)


def is_alternative(noun: Token) -> bool:
    """Return whether a noun is one of several that "or" joins and nothing denies: "will meet Norway or Hungary"."""
    first = noun.head if noun.dep_ == "conj" else noun
    joined = any(c.dep_ == "cc" and c.lower_ == "or" for head in (first, *first.children) for c in head.children)
    return joined and any(c.dep_ == "conj" for c in first.children)


def shares_object(verb: Token) -> bool:
    """Return whether a coordinated verb's object is that of the verb before, too: "designed and built the bridge"."""
    first = verb.head
    joint = verb.doc[first.i + 1 : verb.i]
    plain = all(t.dep_ in {"cc", "punct", "advmod", "aux", "auxpass", "neg"} for t in joint)
    return verb.dep_ == "conj" and plain and any(c.dep_ in OBJECTS | {"prep"} and c.i > verb.i for c in verb.children)


def voice_unclear(verb: Token) -> bool:
    """Return whether a verb after a passive may be passive, too: "was approved in 2019 but shelved a year later"."""
    first = verb.head
    bare = not any(c.dep_ in SUBJECTS | OBJECTS | {"aux", "auxpass", "ccomp", "xcomp", "prt"} for c in verb.children)
    passive = is_verb(first) and first.lower_ != "born" and any(c.dep_ == "auxpass" for c in first.children)
    alike = verb.text.endswith("ed") or verb.lower_ in _ALIKE
    past = verb.tag_ == "VBD" and alike and verb.lemma_ not in INTRANSITIVE
    return verb.dep_ == "conj" and past and bare and passive and not shared_auxiliaries(verb)


def gapped(verb: Token) -> bool:
    """Return whether a coordinated "verb" is the subject of a clause without one: "Baking takes an hour and cooling
    two"."""
    own = any(child.dep_ in {"aux", "auxpass"} for child in verb.children)
    return verb.dep_ == "conj" and verb.tag_ == "VBG" and verb.head.tag_ in {"VBZ", "VBP", "VBD"} and not own


def misread(sentence: Span) -> bool:
    """Return whether a parse cannot be right: a verb with two subjects of which none is expletive, "it" as the subject
    of a verb in the plural, a main clause after "after", a statement of which "what" is the subject, as in "What was
    lost when it shut was made good", or a subject of "Rated A7, the pump" that has the pump as an apposition."""
    first = sentence[0]
    if first.lower_ == "what" and first.dep_ in SUBJECTS and first.head.dep_ == "ROOT" and is_full(sentence):
        return True
    if first.dep_ == "mark" and first.head.dep_ == "ROOT" and first.lower_ in _SUBORDINATING:
        return True
    if first.tag_ == "VBN" and first.dep_ == "amod" and any(c.dep_ == "appos" for c in first.head.children):
        return True
    for verb in sentence:
        own = [child for child in verb.children if child.dep_ in {"nsubj", "nsubjpass"}]
        helped = any(child.dep_ in {"aux", "auxpass"} for child in verb.children)
        if own and own[0].lower_ == "it" and verb.lower_ in {"are", "have", "do"} and not helped:
            return True
        if is_verb(verb) and len(own) > 1 and not set(own[1:]) <= set(_second_subjects(own[0])):
            return True
    return False


def is_full(sentence: Span) -> bool:
    """Return whether a sentence ends with a full stop."""
    return sentence.text.rstrip().endswith(".")


def strip(tokens: list[Token]) -> list[Token]:
    """Remove punctuation, white space and conjunctions at the ends, and what follows a bracket that is never closed;
    complete pairs of brackets and quotes stay.
    """
    opened = next((i for i, t in enumerate(tokens) if t.text == "(" and all(o.text != ")" for o in tokens[i:])), None)
    if opened:
        tokens = tokens[:opened]
    while tokens and (_edge(tokens[-1], tokens) or tokens[-1].dep_ == "cc"):
        tokens = tokens[:-1]
    while tokens and (_edge(tokens[0], tokens) or tokens[0].dep_ == "cc"):
        tokens = tokens[1:]
    return tokens


def _edge(token: Token, tokens: list[Token]) -> bool:
    if token.is_space:
        return True
    if token.text == '"':
        return sum(other.text == '"' for other in tokens) % 2 == 1
    if token.text in _BRACKETS:
        return all(other.text != _BRACKETS[token.text] for other in tokens)
    return token.is_punct and token.text not in {"%", "&"} and token.dep_ != "nummod"


def verb_group(verb: Token) -> list[Token]:
    """Return the verb with its auxiliaries, negation, particles and the adverbs among them, in text order."""
    group = [verb, *(child for child in verb.children if child.dep_ in _GROUP)]
    first = min(token.i for token in group)
    last = max(token.i for token in group)
    for child in verb.children:
        if child.dep_ == "advmod" and first - 1 <= child.i <= last + 1 and is_plain_adverb(child):
            group.extend(token for token in child.subtree if not token.is_punct)
    return sorted(group, key=lambda token: token.i)


def shared_auxiliaries(verb: Token) -> list[Token]:
    """Return the auxiliaries that a coordinated verb leaves out: "is fed by one river and drained by another"."""
    first = verb.head
    own = any(child.dep_ in SUBJECTS | {"aux", "auxpass"} for child in verb.children)
    if verb.dep_ != "conj" or not is_verb(first) or own or first.lower_ == "born":
        return []
    found = [child for child in first.children if child.dep_ in {"aux", "auxpass", "neg"} and child.i < first.i]
    if not found:
        return shared_auxiliaries(first)
    passive = any(child.dep_ == "auxpass" for child in found)
    if verb.tag_ == "VBD" and first.tag_ == "VBN" and verb.lower_.endswith(_PARTICIPLES):
        return found  # "had eaten from it and broken it"
    by = verb.tag_ == "VBD" and passive and any(c.lower_ == "by" and any(c.children) for c in verb.children)
    modal = any(child.tag_ == "MD" for child in found) and verb.tag_ == "VBP" and verb.lower_ == verb.lemma_
    modal |= passive and verb.tag_ == "VBD" and any(child.tag_ == "MD" for child in found)
    return found if by or modal or (verb.tag_ == first.tag_ and verb.tag_ != "VBD") else []


def with_auxiliaries(verb: Token, words: Sequence[Token]) -> list[Token]:
    """Return the words of a predicate after the auxiliaries that its verb shares; "not" stands after the first: "can
    be washed but not ironed" gives "can not be ironed"."""
    shared = shared_auxiliaries(verb)
    if shared and words and words[0].dep_ == "neg":
        return [shared[0], words[0], *shared[1:], *words[1:]]
    return [*shared, *words]


def is_plain_adverb(token: Token) -> bool:
    """Return whether an adverb stands alone, or after "no" as in "no longer", and is no question or relative word."""
    alone = all(child.dep_ == "punct" or child.lower_ == "no" for child in token.children)
    return token.tag_ in {"RB", "RBR", "RBS"} and alone
