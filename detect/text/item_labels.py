"""The label before a sentence of a list's item: "- **Cost:** A boiler costs less", which a parser reads into it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from claimgraph.detect.text.syntax import SUBJECTS, is_finite, is_verb

if TYPE_CHECKING:
    from spacy.tokens import Doc

_ITEM = r"[ \t]*(?:[-*+•–]|\d{1,3}[.)])[ \t]+"
_BOLD = r"(?:\*\*[^*\n]{1,40}:\*\*|\*\*[^*\n]{1,40}\*\*:)"
_PLAIN = r"[A-Z][\w'’/ -]{1,30}:"
_LABEL = re.compile(rf"(?:(?:{_ITEM}|[ \t]*){_BOLD}|{_ITEM}{_PLAIN})[ \t]+(?=\S)")


def label_end(written: str) -> int:
    """Return where the label ends with which a paragraph begins, after the space that follows; 0 without one."""
    found = _LABEL.match(written)
    return found.end() if found else 0


def is_label(written: str) -> bool:
    """Return whether a paragraph is nothing but the label of what follows."""
    return label_end(f"{written} .") == len(written) + 1


def begins_sentence(doc: Doc, label: int = 0) -> bool:
    """Return whether a paragraph begins, after so many words of a label, with a sentence of its own: a clause with
    subject and verb, or an instruction. "12 x 4 cm" and "Lasts nine hours" say something only with their label.
    """
    if not len(doc):
        return False
    root = next(doc.sents).root
    own = any(child.i >= label and (child.dep_ in SUBJECTS or child.dep_ == "expl") for child in root.children)
    helped = any(child.dep_ in {"aux", "auxpass"} and is_finite(child) for child in root.children)
    told = own and (helped or is_finite(root))
    return is_verb(root) and (told or (not label and root.tag_ == "VB" and not helped))
