"""Mend trees in which a small parser hung a clause, an apposition or an object on the wrong word: "eleven sheds, where,
if they fit, bicycles stand", "a staging of "The Salt Year", a family drama"."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from claimgraph.detect.text.syntax import SUBJECTS, Change, after_comma, is_finite_group, is_verb
from claimgraph.detect.text.verbs import INTRANSITIVE

if TYPE_CHECKING:
    from spacy.tokens import Token

_BESIDE = frozenset({"conj", "ccomp", "advcl", "parataxis"})
_CALLING = frozenset({"call", "name", "consider", "declare", "find", "think"})
_LINKING = frozenset({"be", "become", "remain", "seem", "stay", "appear", "prove", "look", "feel", "sound", "turn"})


def attachment_changes(token: Token) -> Iterator[Change]:
    """Yield the changes that a token with a wrong head asks for."""
    if token.dep_ == "ccomp" and (noun := noun_of_relative(token.head, token)) is not None:
        other = token.head
        yield token.i, other.head.i if other.head != other else token.i, other.dep_
        yield other.i, noun.i, "relcl"
    elif token.dep_ in _BESIDE and (noun := noun_of_relative(token, token.head)) is not None:
        yield token.i, noun.i, "relcl"
        yield from ((c.i, token.i, "advmod") for c in token.sent if c.lower_ == "where" and noun.i < c.i < token.i)
    elif token.dep_ == "nsubj" and token.head.dep_ == "appos" and token.head.tag_ == "NNS":
        yield token.i, token.head.i, "compound"
        yield from ((c.i, token.head.i, "det") for c in token.children if c.dep_ == "det")
    elif token.dep_ == "attr" and is_verb(token.head) and token.head.lemma_ not in _LINKING:
        yield token.i, token.head.i, "dobj"
    elif _is_what_it_is_called(token):
        yield token.i, token.head.head.i, "oprd"
    elif (title := _title_before(token)) is not None:
        yield token.i, title.i, "appos"
    elif (noun := _noun_before_that(token)) is not None:
        yield token.i, noun.i, "relcl"
        yield from ((c.i, token.i, "dobj") for c in token.children if c.dep_ == "mark")
    elif (name := _name_of_cleft(token)) is not None:
        yield token.i, name.i, "relcl"


def noun_of_relative(verb: Token, main: Token) -> Token | None:
    """Return the noun that a clause after it tells of, taken for one beside the main clause: "eleven sheds, where, if
    they fit, bicycles stand", "three arches, the middle one of which spans nine metres"; None for other verbs."""
    if not (is_verb(verb) and is_verb(main) and main.i < verb.i and is_finite_group(verb)):
        return None
    doc, subject = verb.doc, next((c for c in verb.children if c.dep_ in SUBJECTS), None)
    if subject is None:
        return None
    of_which = any(t.lower_ == "which" and t.head.lower_ == "of" for t in subject.subtree)
    where = next((t for t in doc[main.i : verb.i] if t.lower_ == "where"), None)
    first = subject.left_edge if of_which else where
    if first is None or doc[first.i - 1].text != ",":
        return None
    noun = doc[first.i - 2]
    noun = noun.head if noun.dep_ == "conj" else noun
    while noun.head.lower_ == "of" and noun.head.head.tag_.startswith(("NN", "CD")):
        noun = noun.head.head
    return noun if noun.tag_.startswith(("NN", "CD")) else None


def _title_before(noun: Token) -> Token | None:
    """Return the title in quotation marks right before an apposition that was taken for one of another noun: "a staging
    of "The Salt Year", a family drama"; None for other words."""
    start = noun.left_edge.i
    if noun.dep_ != "appos" or start < noun.sent.start + 3 or noun.doc[start - 1].text != ",":
        return None
    title = noun.doc[start - 3]
    quoted = noun.doc[start - 2].text in {'"', "”", "’"} and title.tag_.startswith("NN")
    return title if quoted and title != noun.head and title.dep_ != "appos" else None


def _is_what_it_is_called(noun: Token) -> bool:
    """Return whether an apposition after a clause in commas is what a verb calls its object: "She calls Ann, who plays
    her, a discovery"."""
    called, verb = noun.head, noun.head.head
    between = any(c.dep_ == "relcl" and called.i < c.i < noun.left_edge.i for c in called.children)
    return noun.dep_ == "appos" and called.dep_ == "dobj" and verb.lemma_ in _CALLING and between


def _noun_before_that(verb: Token) -> Token | None:
    """Return the noun that a clause with "that" tells of, taken for the object of a verb that has none: "lives on in
    cupboards that children cannot open"; None for other verbs."""
    that = next((c for c in verb.children if c.dep_ == "mark" and c.lower_ == "that"), None)
    if verb.dep_ != "ccomp" or that is None or verb.head.lemma_ not in INTRANSITIVE or that.i <= verb.head.i:
        return None
    noun = that.nbor(-1)
    return noun if noun.tag_ in {"NN", "NNS"} and noun.dep_ == "pobj" and that.i == verb.left_edge.i else None


def _name_of_cleft(verb: Token) -> Token | None:
    """Return the person of whom "it was" says that it is who did something, where another noun stands between: "It was
    Ann Lee, a clerk without a job, who found it"; None for other verbs."""
    root = verb.sent.root
    subject = next((c for c in verb.children if c.dep_ in SUBJECTS), None)
    it = next((c for c in root.children if c.dep_ in SUBJECTS), None)
    name = next((c for c in root.children if c.dep_ == "attr"), None)
    if verb.dep_ != "relcl" or subject is None or subject.lower_ != "who" or verb.head == name or name is None:
        return None
    if root.lemma_ != "be" or it is None or it.lower_ != "it":
        return None
    return name if name.ent_type_ == "PERSON" and not verb.head.ent_type_ and after_comma(verb) else None
