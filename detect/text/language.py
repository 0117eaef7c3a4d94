"""Detect the language of a text, so that verdicts on texts that the rules cannot read are marked.

English is detected by its function words, which is exact where it matters and costs nothing; only other texts are given
to py3langid (BSD licence, 5 MB, offline). fastText's model was rejected for its size and licence, lingua for 100 MB.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from claimgraph.detect.text.words import words

_ENGLISH = words(
    """
    the of and with from that which who his he she they their been has have were are this these its would there
    when what about into after you your
    """
)
_READ = 10_000
_SHARE = 0.1
_SURE = 0.6
_LANGUAGES = words(
    """
    ar bg ca cs da de el en es et fa fi fr he hi hr hu id it ja ko lt lv ms nl no pl pt ro ru sk sl sr sv ta th tr
    uk ur vi zh
    """
)


def language_of(text: str) -> str | None:
    """Return the ISO 639-1 code of the text's language, judged by its first 10,000 characters; None where it is
    unclear.

    "en" where at least a tenth of the words are English function words; else the model's answer if it gives it a
    probability of at least 0.6 among 41 languages. Names and numbers alone are not enough.
    """
    found = re.findall(r"[^\W\d_]+", text[:_READ].casefold())
    if not found:
        return None
    if sum(word in _ENGLISH for word in found) >= _SHARE * len(found):
        return "en"
    language, probability = _identifier().classify(text[:_READ])
    return str(language) if probability >= _SURE else None


def caveat(language: str | None) -> str | None:
    """Return the caveat for verdicts on a text in that language; None where it is English or not known."""
    return None if language in (None, "en") else f"the text seems to be in {language!r}; models read English"


@cache
def _identifier() -> Any:
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    identifier = LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
    identifier.set_languages(sorted(_LANGUAGES))
    return identifier
