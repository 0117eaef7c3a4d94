"""Decide which names English writes with "the": those whose head is a common noun ("Soviet Union", "University of
Bonn").

The words of the name decide; a list of all such names was rejected, since graphs have names that no list has.
"""

from __future__ import annotations

import re

_HEADS = (
    r"Academy|Agency|Alliance|Army|Association|Bank|Cemetery|Church|Commonwealth|Conference|Confederation|Congress"
    r"|Conservatory|Council|Court|Duchy|Emirates|Empire|Federation|Foundation|Fund|Guild|Institute|Institution|Kingdom"
    r"|League|Ministry|Museum|Navy|Netherlands|Order|Organi[sz]ation|Parliament|Party|Philippines|Republic|Senate|Society"
    r"|States|Treaty|Union"
)
_OF = re.compile(rf"(?:[\w.'’-]+ )*?(?:{_HEADS}|University|College|School|House|City|Isle|Bay|Gulf) (?:of|for|in) ")
_LAST = re.compile(rf"(?:(?<=[\w.'’-] )|(?<=[\w.'’-] & ))(?:{_HEADS})$|(?:Netherlands|Philippines|Bahamas|Gambia)$")


def takes_the(name: str) -> bool:
    """Return whether "the" stands before the name in a sentence; False where the name begins with an article itself."""
    return not re.match(r"(?:the|an?)\b", name, re.IGNORECASE) and bool(_OF.match(name) or _LAST.search(name))
