"""Claims of what stands in a text without a verb: rows of tables, list items under a heading, and "label: value".

A parser makes nonsense of these; their place says what they mean. Of a table's row each cell is a claim with the row's
first cell as subject and the column's head as predicate.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from claimgraph.detect.text.item_labels import label_end
from claimgraph.detect.text.markup import unmarked
from claimgraph.detect.text.words import content, words
from claimgraph.kgstore import identity
from claimgraph.kgstore.model import Claim, Document, Span

_LINE = re.compile(r"[^\n]+")
_SENTENCE_END = re.compile(r"(?<=[.!?]) (?=[A-Z])")
_CELL = re.compile(r"[^|\n]+")
_RULE = re.compile(r"[\s|:+]*-[\s|:+-]*")
_ITEM = re.compile(r"[ \t]*(?:[-*+•–]|\d{1,3}[.)])[ \t]+")
_HEADING = re.compile(r"\s*(?:#{1,6}[ \t]|\*\*[^*\n]+\*\*:?\s*(?:$|[–—-] [^.!?\n]*\s*$))")
_TITLE = re.compile(r"\s*(?:(?:[-*+•–]|\d{1,3}[.)])[ \t]+)?(\*{1,2}[^*\n]+[.:]\*{1,2})[ \t]+\S")
_ASKING = re.compile(
    r"(?:(?:[-*+•–]|\d{1,3}[.)])[ \t]+)?\**"
    r"(?:What|How|Why|When|Where|Who|Which|Before|After|While|If)\b[^\n.!?:]{2,100}"
)
_VALUES = words("value values detail details specification data")
_FEATURES = {"", *words("aspect criterion feature features item property specification spec")}
"""Heads of a first column that names what things have; the other columns are the things."""
_SIGNS = {"✓": "yes", "✔": "yes", "✅": "yes", "✗": "no", "✘": "no", "✕": "no", "❌": "no"}
_SIGNS |= dict.fromkeys(("-", "–", "—", "n/a", "N/A", "?"), "")
"""Signs in cells as words; "" for those that say nothing."""
OPENING_VERBS = words(
    "comes costs fits has holds includes is lasts measures needs offers runs supports takes uses weighs"
)
"""Verbs with which an item may say something of what the text is about, which a tagger takes for nouns there."""
_OF_TEXT = frozenset(
    {"answer", "conclusion", "headline", "introduction", "overview", "question", "short answer", "subject", "summary"}
)
"""Labels that say what a part of the text is, not what its topic has."""
_OF_PART = _OF_TEXT | {
    *("bottom line", "caveat", "important", "in a nutshell", "in brief", "in other words", "in short", "key point"),
    *("key takeaway", "main point", "note", "one more thing", "overall", "please note", "remember", "result"),
    *("takeaway", "tip", "to sum up", "verdict", "what this means", "why it matters", "worth knowing", "worth noting"),
}
"""These, and labels that say what a part of the text is for: neither tells anything of what stands under it."""
_ANNOUNCING = re.compile(r"\b(?:[Hh]ere|[Tt]he following) (?:is|are|'s|’s)\b|\b(?:follow|follows|following|below):$")
"""What only says that something follows, and not what."""
_PICTURE = re.compile(r"^[^\w\s\"'“‘(\[]+\ufe0f?\s+")
"""A picture before a title: "🔧 What is different"."""
_BOLD_ITEM = re.compile(r"(?:[-*+•–]|\d{1,3}[.)])[ \t]+\*\*[^*\n]+\*\*:?")
_BOLD_QUESTION = re.compile(r"\s*(?:(?:[-*+•–]|\d{1,3}[.)])[ \t]+)?\*\*([^*\n]+\?)\*\*")
_LABEL = re.compile(r"([A-Z][^:.\n]{0,40}):[ \t]+(\S[^\n]*)")


def row_claims(document: Document, table: Span, topic: str) -> Iterator[tuple[Span, list[Claim]]]:
    """Each row of a Markdown table with a claim for each of its cells but the first; none without a ruled head.

    A table of two columns, of which the second has values, says them of the text's `topic`; one whose first column has
    features, of the things in its head. Cells with a dash say nothing.
    """
    rows = [_cells(document.text, line) for line in _lines(document.text, table)]
    ruled = len(rows) > 1 and bool(_RULE.fullmatch(document.text, rows[1][0].start, rows[1][-1].end))
    heads = [_plain(document.text, cell) for cell in rows[0]] if ruled else []
    valued = len(heads) == 2 and heads[1].casefold() in _VALUES
    for cells in rows[2:] if ruled else rows:
        key, *values = [_plain(document.text, cell) for cell in cells]
        key = f"{heads[0]} {key}" if heads and key.isdecimal() else key
        span, told = Span(cells[0].start, cells[-1].end), [_SIGNS.get(value, value) for value in values]
        if valued and len(told) == 1:
            about = topic if topic.casefold() != key.casefold() else ""
            named = ((about or key, _low(key) if about else "is", value) for value in told)
        elif heads and heads[0].casefold() in _FEATURES:
            named = ((head, _low(key), value) for head, value in zip(heads[1:], told, strict=False))
        else:
            named = ((key, head, value) for head, value in zip(heads[1:], told, strict=False))
        yield span, [_cell_claim(document, span, triple) for triple in named if all(triple)]


def _cell_claim(document: Document, row: Span, triple: tuple[str, str, str]) -> Claim:
    about, head, value = triple
    return _claim(document, row, triple, f"{about}: {value}" if head == "is" else f"{about}, {_low(head)}: {value}")


def label_claim(document: Document, sentence: Span, lead: str, topic: str) -> Claim | None:
    """The claim of a sentence without a verb: "label: value", or an item of a list after `lead`; None for others. Both
    are said of the `topic` of the text, where that is known."""
    text = document.text
    said = _said(text, sentence)
    labelled = None if said.startswith("Not: ") else _LABEL.fullmatch(said)
    if labelled and "\n" not in text[sentence.start : sentence.end]:
        label, value = labelled[1], labelled[2].rstrip(".")
        if label.casefold() in _OF_TEXT:
            return None
        if not topic or re.search(rf"[a-z,;] {re.escape(label)}\b", text):  # a name: "the Pim"
            return _claim(document, sentence, (label, "is", value), said)
        return _claim(document, sentence, (topic, _low(label), value), f"{topic}, {_low(label)}: {labelled[2]}")
    if not lead or not said or said.endswith(":"):
        return None
    full = bool(topic) and not set(_words(topic)) <= set(_words(lead))
    asked = lead if lead.endswith("?") else f"{lead}:"
    told = f"{topic}, {_low(lead)}: {said}" if full else f"{asked} {said}"
    return _claim(
        document, sentence, (topic if full else lead, _low(lead) if full else "includes", said.rstrip(".")), told
    )


def _said(text: str, sentence: Span) -> str:
    """Words without marks; a cross before them says that they are not so: "❌ Landlords" is "Not: landlords"."""
    said = " ".join(unmarked(text[sentence.start : sentence.end]).split()).replace(" :", ":")
    before = text[: sentence.start].rstrip(" \ufe0f")[-1:]
    first, _, rest = said.partition(" ")
    sign = _SIGNS.get(before) or _SIGNS.get(first.rstrip("\ufe0f"))
    said = rest if _SIGNS.get(first.rstrip("\ufe0f")) else said
    return f"Not: {_low(said)}" if sign == "no" else said


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.casefold())


def continued_claim(document: Document, sentence: Span, topic: str, supplied: str = "") -> Claim | None:
    """The claim of a sentence that begins with its verb and leaves out the subject, which is the text's topic: "Comes
    with a brush", or, with the verb that is `supplied`, "Made in Japan"; None where there is no topic or nothing after
    the verb."""
    said = " ".join(unmarked(document.text[sentence.start : sentence.end]).split())
    verb, _, rest = said.partition(" ")
    if not topic or not rest:
        return None
    verb = f"{supplied} {verb.lower()}".strip()
    return _claim(document, sentence, (topic, verb, rest.rstrip(".")), f"{topic} {verb} {rest}")


def answer_claim(document: Document, sentence: Span, question: str) -> Claim:
    """The claim of a sentence without a subject that answers the question, or tells of the label, before it: "Who pays?
    The tenant."."""
    said = _said(document.text, sentence)
    return _claim(document, sentence, (question.rstrip("?:"), "is", said.rstrip(".")), f"{question} {said}")


def is_item(written: str) -> bool:
    """Whether a paragraph begins with the mark of a list's item."""
    return _ITEM.match(written) is not None


def is_heading(written: str) -> bool:
    """Whether a paragraph is a heading, or a line in bold alone or with what it names: "**Brewmaster 600** - filter
    coffee maker"."""
    return _HEADING.match(written) is not None


def asked_in_bold(written: str) -> str:
    """The question in bold with which a paragraph begins, with what is said before it: "**I am 24. Do I pay less?**";
    "" where there is none."""
    found = _BOLD_QUESTION.match(written)
    return " ".join(found[1].split()) if found else ""


def label_of_item(written: str) -> str:
    """What an item says of those inside of it: its label, the name in bold that is all of it, or the end of it before a
    colon; "" for others."""
    end = label_end(written)
    if end:
        return unmarked(written[:end]).strip(" \t-*+•–:.0123456789)")
    said = " ".join(unmarked(written).split())
    return said.rstrip(":. ") if is_bold_item(written) or said.endswith(":") else ""


def is_bold_item(written: str) -> bool:
    """Whether an item has nothing but words in bold."""
    return _BOLD_ITEM.fullmatch(written.strip()) is not None


def says_label(label: str, claim: Claim) -> bool:
    """Whether a claim has the words of its label, or the label only says what kind of part it is: "Takeaway:"."""
    missing = set(content(label)) - set(content(claim.sentence))
    return not missing or label.casefold() in _OF_PART


def is_title(sentence: str, written: str) -> bool:
    """Whether a sentence is the bold title of a paragraph that goes on, "**Costs.** A pump costs 900 euros", or stands
    alone and opens a clause that does not end: "2. What to do before you take it"."""
    if _ASKING.fullmatch(written.strip()) and unmarked(written).split() == sentence.split():
        return True
    title = _TITLE.match(written)
    return title is not None and unmarked(sentence).strip(" *.:") == unmarked(title[1]).strip(" *.:")


def lead_of(written: str) -> str:
    """What a heading, or the last sentence of a paragraph that ends with a colon, says of the list after it; "" for
    others, and where it only announces the list: "Here is the most important information:"."""
    said = _PICTURE.sub("", _SENTENCE_END.split(" ".join(unmarked(written).split()))[-1])
    if _ANNOUNCING.search(said):
        return ""
    return said.rstrip(": ") if written.lstrip().startswith("#") or said.endswith(":") else ""


def _lines(text: str, table: Span) -> Iterator[Span]:
    for line in _LINE.finditer(text, table.start, table.end):
        if "|" in line[0]:
            yield Span(line.start(), line.end())


def _cells(text: str, line: Span) -> list[Span]:
    inner = text[line.start : line.end].strip().strip("|")
    start = text.index(inner, line.start)
    return [_stripped(m) for m in _CELL.finditer(text, start, start + len(inner))] or [line]


def _stripped(cell: re.Match[str]) -> Span:
    start = cell.start() + len(cell[0]) - len(cell[0].lstrip())
    return Span(start, max(start, cell.start() + len(cell[0].rstrip())))


def _plain(text: str, cell: Span) -> str:
    return " ".join(text[cell.start : cell.end].replace("`", "").replace("**", "").split())


def _low(head: str) -> str:
    named = any(word[:1].isupper() for word in head.split()[1:])  # "Mill Lane"
    plain = head[1:2].islower() and not named and not any(map(str.isdigit, head))
    return f"{head[:1].lower()}{head[1:]}" if plain else head


def _claim(document: Document, span: Span, triple: tuple[str, str, str], said: str) -> Claim:
    end = "" if said.endswith((".", "!", "?")) else "."
    return Claim(
        id=identity.claim_id(document.id, span.start, span.end, *triple),
        document=document.id,
        subject=triple[0],
        predicate=triple[1],
        object=triple[2],
        text=document.text[span.start : span.end],
        span=span,
        statement=f"{said[:1].upper()}{said[1:]}{end}",
    )
