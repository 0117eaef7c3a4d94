"""Write the usual phrases for what comes with a thing and what does not in one way: "sold separately", "comes with".

Words alone do not tell that what is sold separately is not included; product texts say it in few fixed ways.
"""

from __future__ import annotations

import re

_PLACE = (
    r"(?:\s+(?:in|with|as part of)\s+(?:the|its|your)\s+(?:box|pack|package|packaging|delivery|set|kit|price|bundle|"
    r"scope of delivery))?"
)
_APART = re.compile(
    r"\b(?:(is|are)|(?:must|can|has to|have to|needs? to|should|may)\s+be)\s+(?:only\s+)?"
    r"(?:sold|bought|purchased|ordered|available|obtained|acquired)\s+separately\b|"
    r"\b(?:(is|are)|costs?)\s+extra\b(?!\s+\w)",
    re.IGNORECASE,
)
_INCLUDED = re.compile(
    rf"\b(is|are)\s+(not\s+)?(?:included|supplied|provided|enclosed|delivered)\b{_PLACE}(?=\s*(?:[.,;!?]|$|and\b|but\b))",
    re.IGNORECASE,
)
_WITH = re.compile(r"\b(?:(comes?|ships?)|(is|are)\s+(?:supplied|delivered|sold|shipped))\s+with\b", re.IGNORECASE)
_WITH_NO = re.compile(r"\bwith no\b(?! (?:more|less|fewer|longer|other|one)\b)", re.IGNORECASE)


def plain_phrasing(text: str) -> str:
    """Return the text with "is included", "is not included" and "includes" for the phrases that say so, and "without"
    for "with no".
    """
    text = _WITH_NO.sub("without", text)
    text = _APART.sub(lambda found: f"{found[1] or found[2] or 'is'} not included", text)
    text = _INCLUDED.sub(lambda found: f"{found[1]} {found[2] or ''}included", text)
    return _WITH.sub(lambda found: "include" if _plural(found) else "includes", text)


def _plural(found: re.Match[str]) -> bool:
    verb = (found[1] or found[2]).lower()
    return verb in ("come", "ship", "are")
