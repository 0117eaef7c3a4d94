"""Lists of subjects in which a small parser sees no list: "A tamper, two baskets and a jug are included"."""

from __future__ import annotations

from typing import TYPE_CHECKING

from claimgraph.detect.text.syntax import SUBJECTS, is_verb

if TYPE_CHECKING:
    from spacy.tokens import Token

_LOOSE = frozenset({"advmod", "dep", "nsubj", "nsubjpass"})
_COUNTING = frozenset({"det", "nummod", "amod", "poss"})
_WHEN = frozenset({"DATE", "TIME"})


def rest_of_list(noun: Token) -> Token | None:
    """Return what goes on, after a comma, with the list of subjects which the noun begins; None for another noun.

    It is another subject of the verb, or taken for an apposition though no comma ends it before the verb.
    """
    verb = noun.head
    if noun.dep_ not in _LOOSE or not noun.tag_.startswith("NN") or not is_verb(verb) or noun.i > verb.i:
        return None
    after = noun.i + 2
    counted = any(child.dep_ in _COUNTING for child in noun.children)
    if after >= verb.i or noun.nbor().text != "," or not counted or noun.ent_type_ in _WHEN:
        return None
    found = (c for c in (*verb.children, *noun.children) if c.dep_ in {*SUBJECTS, "appos"} and c.left_edge.i == after)
    rest = next(found, None)
    if rest is None or all(child.dep_ != "conj" for child in rest.children):
        return None
    open_end = rest.right_edge.i + 1 < verb.i or rest.right_edge.nbor() == verb
    return rest if open_end and rest.right_edge.nbor().text != "," else None
