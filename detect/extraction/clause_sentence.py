"""Words of a text, with the names that pronouns stand for, as a sentence of its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from spacy.tokens import Span, Token

    from claimgraph.detect.text.parse import Paragraph

_CAPITALISED = frozenset({"The", "A", "An", "This", "These", "All", "Both", "Some", "His", "Her", "Their", "Its"})


@dataclass(frozen=True, slots=True)
class ClauseSentence:
    """A clause as a sentence, with the tokens that it was made of; both empty where the triple says as much."""

    text: str = ""
    tokens: tuple[Token, ...] = ()


def made(part: Paragraph, tokens: Sequence[Token], names: Mapping[int, str]) -> ClauseSentence:
    """Return a sentence of these tokens, with the names in place of tokens."""
    return ClauseSentence(as_sentence(words_said(part, tokens, names)), tuple(tokens))


def spoken_sentence(part: Paragraph, pieces: Sequence[Token | str], names: Mapping[int, str]) -> ClauseSentence:
    """Return a sentence of words of the text and others, in this order."""
    said: list[str] = []
    tokens: list[Token] = []
    for supplied, group in groupby(pieces, lambda piece: isinstance(piece, str)):
        run = list(group)
        words = [piece for piece in run if not isinstance(piece, str)]
        said.append(" ".join(map(str, run)) if supplied else words_said(part, words, names))
        tokens += words
    return ClauseSentence(as_sentence(" ".join(said)), tuple(tokens))


def whole_sentence(part: Paragraph, sentence: Span, names: Mapping[int, str]) -> ClauseSentence:
    """Return a sentence of the text as it stands, with the names in place of tokens."""
    return made(part, [token for token in sentence if not token.is_space], names)


def words_said(part: Paragraph, tokens: Sequence[Token], names: Mapping[int, str]) -> str:
    """The tokens with the names for pronouns; a pronoun stays after its name, "whose" after its noun."""
    spoken = {**names, **{t.i: _inside(names[t.i]) for t in tokens[1:] if names.get(t.i)}}
    for token in tokens[1:]:
        if token.tag_ == "WP$":
            spoken.pop(token.i, None)
    before = written = ""
    for token in tokens:
        name = spoken.get(token.i)
        said = (name or token.text).casefold()
        if name and token.tag_ in {"PRP", "PRP$"} and _bare(said) in _closed_up(f"{before}\n{written}"):
            del spoken[token.i]
        before, written = f"{before} {said}", f"{written} {token.lower_}"
    return part.words(tokens, spoken)


def _closed_up(words: str) -> str:
    """Return words of a text as names have them, without spaces around hyphens and before the sign of possession."""
    return words.replace(" - ", "-").replace(" 's", "'s").replace(" ’s", "’s")


def _bare(name: str) -> str:
    """Return a name in small letters without its article and the sign of possession."""
    article, _, rest = name.partition(" ")
    return (rest if rest and article in {"the", "a", "an"} else name).removesuffix("'s").removesuffix("'")


def _inside(name: str) -> str:
    """Return a name as it is written inside a sentence: "the mayor" for "The mayor"."""
    return name[:1].lower() + name[1:] if name.split()[0] in _CAPITALISED else name


def as_sentence(words: str) -> str:
    """Return words with a capital and a full stop, single spaces, and no punctuation at the ends; "" stays so."""
    words = " ".join(words.replace(" ,", ",").replace(" ;", ";").split()).strip(" ,;:–—-")
    words = f"{words[:-2]}." if words.endswith(" .") else words
    if not words:
        return ""
    end = "" if words.rstrip("\"'”’)")[-1:] in {".", "!", "?"} else "."
    return f"{words[:1].upper()}{words[1:]}{end}"
