"""Which names English writes with "the": those whose head is a common noun ("Soviet Union", "University of Bonn").

By the words of the name alone; a list of all names that take it was rejected, since graphs name things no list has.
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
_LAST = re.compile(rf"[\w.'’-]+ (?:[\w.'’&-]+ )*?(?:{_HEADS})$|(?:Netherlands|Philippines|Bahamas|Gambia)$")


def takes_the(name: str) -> bool:
    """Whether "the" stands before the name in a sentence; False where the name begins with an article itself."""
    return not re.match(r"(?:the|an?)\b", name, re.IGNORECASE) and bool(_OF.match(name) or _LAST.search(name))
