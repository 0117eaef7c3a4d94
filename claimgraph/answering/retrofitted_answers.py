"""Write answers that a language model drafts and KGR corrects (Guan et al. 2023), instead of leaving sentences out.

The draft keeps its sentences: a refuted element is changed in its place, and one that could not be corrected is named
in a note. The numbers that cite evidence are removed before and restored after the same words.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import groupby

from claimgraph.answering.answer import Written
from claimgraph.answering.generation import NO_DRAFT, Cites, Writer, sentences_of
from claimgraph.kgstore.identity import document_id
from claimgraph.kgstore.model import Document, Evidence, Subgraph
from claimgraph.repair.retrofitting import RetrofitEdit, RetrofitReport

NOTHING_TO_RETROFIT = "no language model wrote the answer: it is in the words of facts, and nothing was retrofitted"


class RetrofittingWriter:
    """Drafts as another writer does, and corrects by `retrofit`, given draft and question. Implements answer.Write."""

    def __init__(self, writer: Writer, retrofit: Callable[[Document, str], RetrofitReport]) -> None:
        self._writer, self._retrofit = writer, retrofit
        self.config = json.dumps(json.loads(writer.config) | {"retrofit": "kgr"}, sort_keys=True)

    def __call__(self, question: str, evidence: Sequence[Evidence], facts: Subgraph) -> Written:  # noqa: ARG002
        """Return the retrofitted draft. Raises ServiceError where the model gives none."""
        draft, cites = self._writer.draft(question, evidence)
        if not draft.strip():
            return Written("", notes=(NO_DRAFT,))
        found = self._retrofit(Document(document_id(draft), draft), question)
        moved = [(_moved(at, found.edits), numbers) for at, numbers in cites]
        last = found.final
        sentences = [
            replace(one, shown=True) for one in sentences_of(last.extraction, last.verdicts, moved, len(evidence))
        ]
        refuted = (f"{last.refuted} of {len(last.verdicts)} claims still refuted",) if last.refuted else ()
        return Written(_cited(found.text, moved, len(evidence)), tuple(sentences), (*refuted, *found.notes), found)


def _moved(at: int, edits: Sequence[RetrofitEdit]) -> int:
    """Return the position in the text after all edits of a position of the draft; one inside an edit goes to
    its end.
    """
    for _, made in groupby(edits, key=lambda edit: edit.iteration):
        changes = {(edit.start, edit.end, edit.after) for edit in made if edit.start < at}
        at += sum(len(after) - (min(end, at) - start) for start, end, after in changes)
    return at


def _cited(text: str, cites: Cites, evidence: int) -> str:
    """Return the text with the numbers of its evidence in brackets."""
    for at, numbers in reversed(cites):
        known = [number for number in numbers if 1 <= number <= evidence]
        text = f"{text[:at]}{''.join(f' [{number}]' for number in known)}{text[at:]}"
    return text
