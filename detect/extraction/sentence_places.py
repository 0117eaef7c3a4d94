"""What the place of a sentence in a text says of it: the label before it, and the lead of its list.

"Mounting bracket" says the opposite under "Not included", and is read and quoted with it. So is only what comes first
under it: the next sentence goes on from there. Other labels and headings only name what a sentence is about; with them
the entailment model is less sure of what it reads. Rows with the heads of their columns were tried: of 261 statements
on tables as many are judged rightly.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from claimgraph.detect.extraction.layout import is_heading, is_item, lead_of
from claimgraph.detect.text.item_labels import label_end
from claimgraph.detect.text.markup import split, unmarked
from claimgraph.detect.text.words import words
from claimgraph.kgstore.model import Span

_LONGEST = 25
"""Words of a label or lead at most: a longer one is a sentence of its own."""
_TURNING = words(
    "not no never none nothing nobody without except excluding excluded unless if avoid cannot don't fixed solved "
    "resolved removed dropped withdrawn cancelled ended missing lacking planned plans proposed proposals suggested "
    "expected upcoming future coming soon possible optional extra separately apart rejected refused denied former "
    "formerly earlier old previous myth myths false wrong mistakes misconceptions"
)
"""Words of a label or lead that turn what stands under it: denied, conditional, not so yet, or no more."""


_TITLE = re.compile(r"\s*[A-Z][\w'’-]*(?: [\w'’-]+){0,3}\s*")
"""A line of a few words that no sign ends, as stands over a list: "Removed"."""
_FIXED = words("fixed solved resolved")
_LABELLED = re.compile(r"([^:]{1,60}): (\S.*)", re.DOTALL)
_PAST = re.compile(
    r"\b(?:was|were|did|had|could|lost|went|froze|broke|hung|kept|fell|got|ran|\w{3,}ed)(?:n['’]t)?\b", re.IGNORECASE
)
_NOW = words("now longer again is are can will has have does do")
"""Words of a sentence under "Fixed" that tells what is so since."""


def placed(text: str, sentences: Sequence[Span]) -> list[str]:
    """Return each sentence of a text, in order, as it is to be read; "" where that is as it stands."""
    told = dict(_told(text, sentences))
    return [told.get(sentence.start, "") for sentence in sentences]


def as_premise(read: str) -> str:
    """Return a sentence as an entailment model is to read it: what is told in the past under "Fixed" was so in earlier
    versions, and is so no more, which the model does not see by the label alone.
    """
    found = _LABELLED.fullmatch(read)
    if found is None or _FIXED.isdisjoint(found[1].lower().split()):
        return read
    said = found[2].rstrip(" .")
    if _PAST.search(said) is None or not _NOW.isdisjoint(said.lower().split()):
        return read
    said = f"{said[0].lower()}{said[1:]}" if said[1:2].islower() else said
    return f"In earlier versions {said}. This has been fixed and no longer happens."


def _told(text: str, sentences: Sequence[Span]) -> Iterator[tuple[int, str]]:
    lead, at = "", 0
    for place in split(text):
        written = text[place.start : place.end]
        item = is_item(written.lstrip())
        label = _plain(written[: label_end(written.lstrip()) + len(written) - len(written.lstrip())])
        before = [part for part in (lead if item else "", label) if _turns(part)]
        inside = []
        while at < len(sentences) and sentences[at].start < place.end:
            inside.append((sentences[at].start, _plain(text[sentences[at].start : sentences[at].end])))
            at += 1
        start, said = next(((start, said) for start, said in inside if said != label), (-1, ""))
        if lacking := [part for part in before if said and not said.startswith(part)]:
            yield start, ": ".join([*lacking, said])
        if not item:
            lead = _plain(written) if is_heading(written) or _TITLE.fullmatch(written) else lead_of(written.lstrip())
            lead = lead if len(lead.split()) <= _LONGEST else ""


def _turns(lead: str) -> bool:
    return not _TURNING.isdisjoint(lead.lower().replace("’", "'").split())


def _plain(written: str) -> str:
    """Return words without Markdown's marks, and without a colon at the end."""
    return " ".join(unmarked(written).replace("**", "").split()).lstrip("#-*+•– ").rstrip(": ")
