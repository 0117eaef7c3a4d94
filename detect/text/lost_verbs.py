"""Find verbs of the present and opening plural nouns that a small tagger took for other words: "The old mill houses a
café", "and limits the size", "Leaves store sugar".

The parser knows no better than the tagger, as both read the same vectors. A sentence that seems to have no verb, or
whose noun after "and" has a determiner after it, is parsed again with "has" in the place of a word that may be a verb;
where that word then governs the sentence, it is one, and the new parse is kept under the words that are written. In the
same way a sentence without a subject is parsed again with "Animals" in the place of its first word, if that may be a
plural noun, which then must be the subject of a verb in the plural.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from claimgraph.detect.text.syntax import SUBJECTS, is_full, is_verb

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc, Span, Token

_LEAST = 4
"""Words and signs of a sentence that is read again."""
_OBJECTS = frozenset({"DT", "CD", "PRP$", "PRP", "JJ", "JJR", "NN", "NNS", "NNP", "NNPS", "VBG", "RB", "$"})
"""Tags of what may follow a verb."""
_DETERMINING = frozenset({"DT", "CD", "PRP$"})
_PLAIN = ("have", "has")
_PLURAL = "Animals"
_PAST = "moved"
_HELPING = frozenset({"aux", "auxpass"})
_KINDS = ("noun", "verb", "adj", "adv")
_COPIED = ("TAG", "POS", "LEMMA", "HEAD", "DEP")


def regain(nlp: Language, doc: Doc) -> Doc:
    """Return the document with lost verbs and the trees of their sentences mended in place."""
    for sentence in list(doc.sents):
        if (sure := dict(_unmistakable(nlp, sentence))) and _replace(nlp, doc, sentence, sure):
            continue
        if (noun := _opening_noun(nlp, sentence)) and _replace(nlp, doc, sentence, {sentence.start: (_PLURAL, noun)}):
            continue
        lost = {at: (_PLAIN[doc[at].lower_.endswith("s")], _verb_of(nlp, doc[at])) for at in _lost(nlp, sentence)}
        several = [lost] if len(lost) > 1 else []
        for tried in [*several, *({at: words} for at, words in lost.items())]:
            if _replace(nlp, doc, sentence, tried):
                break
    return doc


def _unmistakable(nlp: Language, sentence: Span) -> Iterator[tuple[int, tuple[str, str]]]:
    """Yield the places of words that were taken for others though they can only be irregular plurals or verbs of the
    past ("cacti", "froze"), with what takes their place and their lemma.
    """
    known, irregular = _known(nlp), _irregular(nlp)
    for token in sentence:
        word = token.lower_
        noun, verb = (irregular[kind].get(word, [""])[0] for kind in ("noun", "verb"))
        kinds = {kind for kind in _KINDS if word in known[kind] or word in irregular[kind]}
        if noun and kinds == {"noun"} and noun != word and not token.tag_.startswith(("NN", "VB")):
            yield token.i, (_PLURAL if token.is_title else _PLURAL.lower(), noun)
        elif verb and kinds == {"verb"} and token.is_lower and token.tag_ in {"NN", "NNS", "NNP", "JJ"}:
            yield token.i, (_PAST, verb)


def _opening_noun(nlp: Language, sentence: Span) -> str:
    """Return the noun that the first word of a sentence without a subject may be the plural of; "" where it is none."""
    first, root = sentence[0], sentence.root
    taken = first.tag_.startswith("NN") or first.dep_ in SUBJECTS or not is_full(sentence) or len(sentence) < _LEAST
    if taken or not first.is_title or not is_verb(root) or any(c.dep_ in SUBJECTS | {"expl"} for c in root.children):
        return ""
    return _singular(nlp, first.lower_)


def _singular(nlp: Language, word: str) -> str:
    """Return the noun that a word is the plural of; "" where the model's lemmatizer knows none."""
    irregular = _irregular(nlp)["noun"].get(word, [])
    regular = [word[:-1], f"{word[:-3]}y" if word.endswith("ies") else word[:-2]] if word.endswith("s") else []
    return next((noun for noun in (*irregular, *regular) if noun != word and noun in _known(nlp)["noun"]), "")


def _lost(nlp: Language, sentence: Span) -> Iterator[int]:
    """Yield the places of words in a sentence that may be its verb, or one of its verbs."""
    if not is_full(sentence) or len(sentence) < _LEAST:
        return
    headless = not is_verb(sentence.root)
    for token in sentence[1:-1]:
        before, after = token.nbor(-1), token.nbor()
        if (is_verb(token) and token.dep_ != "compound") or not _verb_of(nlp, token) or after.tag_ not in _OBJECTS:
            continue
        after_noun = headless and before.tag_ in {"NN", "NNS", "NNP", "NNPS"}
        after_and = token.tag_ == "NNS" and before.lower_ in {"and", "but"} and after.tag_ in _DETERMINING
        if after_noun or after_and:
            yield token.i


def _verb_of(nlp: Language, token: Token) -> str:
    """Return the verb that a word may be a present form of; "" where it is none."""
    low = token.lower_
    if not low.isalpha() or (token.text != low):
        return ""
    ways = [low] if not low.endswith("s") else [low[:-1], low[:-2], f"{low[:-3]}y" if low.endswith("ies") else ""]
    return next((way for way in ways if way in _known(nlp)["verb"]), "")


@cache
def _known(nlp: Language) -> dict[str, frozenset[str]]:
    """Return the words of each kind that the model's lemmatizer knows, which holds them as lists."""
    lemmatizer: Any = nlp.get_pipe("lemmatizer")
    index = lemmatizer.lookups.get_table("lemma_index")
    return {kind: frozenset(index[kind]) for kind in _KINDS}


def _irregular(nlp: Language) -> Mapping[str, Mapping[str, list[str]]]:
    """Return the lemmas of irregular forms of each kind that the model's lemmatizer knows."""
    lemmatizer: Any = nlp.get_pipe("lemmatizer")
    table: Mapping[str, Mapping[str, list[str]]] = lemmatizer.lookups.get_table("lemma_exc")
    return table


def _replace(nlp: Language, doc: Doc, sentence: Span, places: Mapping[int, tuple[str, str]]) -> bool:
    """Parse a sentence with other words at these places, and keep the parse, with these lemmas, if they are what was
    looked for; return whether they are.
    """
    from spacy.tokens import Doc

    said = [places[token.i][0] if token.i in places else token.text for token in sentence]
    parsed = nlp(Doc(nlp.vocab, words=said, spaces=[bool(token.whitespace_) for token in sentence]))
    if len(list(parsed.sents)) != 1 or not all(_is_found(parsed[at - sentence.start]) for at in places):
        return False
    rows: Any = doc.to_array(list(_COPIED))
    rows[sentence.start : sentence.end] = parsed.to_array(list(_COPIED))
    for at, (_, lemma) in places.items():
        rows[at, _COPIED.index("LEMMA")] = np.uint64(doc.vocab.strings.add(lemma))
    doc.from_array(list(_COPIED), rows)
    return True


def _is_found(token: Token) -> bool:
    """Return whether a word put in is the verb that was looked for, or the subject of a verb of the present."""
    if token.text in {_PAST, _PLURAL.lower()}:
        return token.tag_ in {"VBD", "VBN", "NNS"}
    if token.text != _PLURAL:
        return _governs(token)
    verb = token.head
    finite = any(t.tag_ == "VBP" or t.tag_ == "MD" for t in (verb, *verb.children) if t == verb or t.dep_ in _HELPING)
    return token.dep_ in SUBJECTS and verb.dep_ == "ROOT" and is_verb(verb) and finite


def _governs(verb: Token) -> bool:
    """Return whether a verb is that of its sentence, with a subject that agrees, or is joined to that."""
    if verb.dep_ == "conj" and not any(child.dep_ in SUBJECTS for child in verb.children):
        return verb.head.dep_ in {"ROOT", "conj", "ccomp"} and is_verb(verb.head)
    subject = next((child for child in verb.children if child.dep_ in SUBJECTS and child.i < verb.i), None)
    beside = verb.dep_ == "ROOT" or (verb.dep_ in {"conj", "ccomp"} and is_verb(verb.head))
    if not beside or subject is None:
        return False
    plural = subject.tag_ in {"NNS", "NNPS", "CD"} or any(child.dep_ == "conj" for child in subject.children)
    return plural == (verb.lower_ == "have")
