"""Read labelled files as labelled.LabelledCase: eight schemas, told apart by a row's keys, never by the file's name.

claim_triples + evidence_triples       triples against triples (KEA Explain's data)
claim_triples, a label each            an answer with labelled triples (RefChecker)
generated_text + sentences             a passage with labelled sentences (WikiBio GPT-3)
output + context + label               a text against a context
text + context + errors                a draft against a context, with its errors at their spans
text + context + expected              a text against a context, with the outcome that is expected
claim + entity + label                 a sentence about an entity, in an open domain (CREAK)
triple + label                         a fact, in an open domain (FactBench); its label is 1 for a true one
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from claimgraph.evaluation.data.label_rules import LabelRule, of_rating, of_votes
from claimgraph.evaluation.data.labelled import Annotation, LabelledCase, LabelledSpan, LabelledTriple, Unit
from claimgraph.evaluation.data.labelled_spans import annotated, joined, locate
from claimgraph.evaluation.data.rows import JsonRow, dataset_name, read_rows, string
from claimgraph.kgstore.identity import document_id
from claimgraph.kgstore.model import Hallucination, Outcome, Span, Triple
from claimgraph.kgstore.naming import relation_name

_SYSTEM = re.compile(r"-M\d+$")
"""SummEval's summarisers; the text before names the article."""
_REFCHECKER = {"Entailment": None, "Contradiction": Hallucination.INTRINSIC, "Neutral": Hallucination.EXTRINSIC}
_ERRORS = {Outcome.REFUTED: Hallucination.INTRINSIC, Outcome.NOT_ENOUGH_INFO: Hallucination.EXTRINSIC}


def read_labelled(
    path: Path, rule: LabelRule = LabelRule.FILE, limit: int | None = None, seed: int = 0
) -> Iterator[LabelledCase]:
    """Yield the cases of a JSON lines file (plain, .gz or .bz2), in order; with `limit` a random sample of so many
    rows.

    The sample is the same for the same file, limit and seed. Raises InputError, with file and line, for a row of no
    known schema and for a row that lacks what the label rule needs.
    """
    dataset = dataset_name(path)
    for line, case in read_rows(path, lambda row: _case(row, rule), limit=limit, seed=seed):
        yield replace(case, dataset=dataset, line=line)


def _case(row: JsonRow, rule: LabelRule) -> LabelledCase:
    """Return the case of a row. Raises ValueError, saying what is missing or wrong."""
    for keys, read in _SCHEMAS:
        if row.keys() >= set(keys):
            return read(row, rule)
    raise ValueError(f"no known schema of labelled texts has these keys: {', '.join(sorted(row)) or 'none'}")


def _made(row: JsonRow, text: str, label: int, *, group: str | None = None, **more: Any) -> LabelledCase:
    """Return the case of a row, by default a document in a group of its own."""
    key = str(row.get("id", document_id(text)))
    fields = {"unit": Unit.DOCUMENT} | more
    return LabelledCase(id=key, group=key if group is None else group, dataset="", text=text, label=label, **fields)


def _text(row: JsonRow, rule: LabelRule) -> LabelledCase:
    text, context = string(row, "output"), string(row, "context")
    sentences = _sentences(row, text, rule) if row.get("sentences") else None
    label = _label(row) if rule is LabelRule.FILE else None
    if label is None:
        label = _any(sentences) if sentences else of_rating(_number(row, "score", rule), rule)
    return _made(
        row, text, label, group=document_id(context), context=context, sentences=sentences,
        annotations=_annotations(row, text), question=row.get("question"),
        rating=row["score"] if isinstance(row.get("score"), int | float | str) else None,
    )  # fmt: skip


def _expected(row: JsonRow, rule: LabelRule) -> LabelledCase:
    """Return a text of a minimal set: one is consistent where SUPPORTED is expected."""
    return _beside(row, rule, int(Outcome(string(row, "expected")) is not Outcome.SUPPORTED))


def _draft(row: JsonRow, rule: LabelRule) -> LabelledCase:
    """Return a draft with planted errors: those that the context contradicts are intrinsic, the others extrinsic."""
    marks = tuple(
        Annotation(Span(int(one["start"]), int(one["end"])), _ERRORS[Outcome(one["outcome"])])
        for one in _objects(row, "errors")
    )
    return replace(_beside(row, rule, int(bool(marks))), annotations=marks)


def _beside(row: JsonRow, rule: LabelRule, label: int) -> LabelledCase:
    _only_as_in_file(rule)
    text, context = string(row, "text"), string(row, "context")
    return _made(row, text, label, group=document_id(context), context=context)


def _sentence(row: JsonRow, rule: LabelRule) -> LabelledCase:
    """Return the case of a CREAK row, grouped by the entity: one of its claims may reveal another."""
    _only_as_in_file(rule)
    return _made(row, string(row, "claim"), _label(row), group=string(row, "entity"))


def _fact(row: JsonRow, rule: LabelRule) -> LabelledCase:
    """Return a triple in words, as a claim that needs no extraction; relations such as "birthPlace" are split into
    words.
    """
    _only_as_in_file(rule)
    said, label = _triple(row["triple"]), 1 - _label(row)
    triple = Triple(said.subject, relation_name(f"dbo:{said.predicate}"), said.object)
    text, spans = joined([f"{triple.text}."])
    claims = (LabelledTriple(triple, spans[0], label),)
    return _made(row, text, label, group=said.subject, unit=Unit.CLAIM, claims=claims)


def _passage(row: JsonRow, rule: LabelRule) -> LabelledCase:
    text = string(row, "generated_text")
    sentences = _sentences(row, text, rule)
    context = None if row.get("reference_text") is None else string(row, "reference_text")
    return _made(row, text, _any(sentences), unit=Unit.SENTENCE, context=context, sentences=sentences)


def _triples(row: JsonRow, rule: LabelRule) -> LabelledCase:
    """Return the case of a KEA row: one text as triples; `sent_idx` says that the text is a sentence, rated by
    votes.
    """
    triples, evidence = (_read_triples(row, key) for key in ("claim_triples", "evidence_triples"))
    text, spans = joined([f"{triple.text}." for triple in triples])
    label, voted = _label(row), "sent_idx" in row
    if rule is not LabelRule.FILE:
        label = (of_votes if voted else of_rating)(_number(row, "label_raw", rule), rule)
    return replace(
        _made(row, text, label, group=_SYSTEM.sub("", str(row.get("text_id", row.get("id"))))),
        id=str(row.get("id")),
        unit=Unit.SENTENCE if voted else Unit.DOCUMENT,
        evidence=evidence,
        claims=tuple(map(LabelledTriple, triples, spans)),
        sentences=(LabelledSpan(Span(0, len(text)), label),),
        published=None if row.get("kea_score") is None else _number(row, "kea_score", rule),
    )


def _answer(row: JsonRow, rule: LabelRule) -> LabelledCase:
    """Return the case of a RefChecker row: an answer whose triples are labelled; no context, unless the row has one."""
    _only_as_in_file(rule)
    text, key = string(row, "output"), str(row.get("id"))
    claims = tuple(_claim(item, Span(0, len(text))) for item in row["claim_triples"])
    label = max((claim.label or 0 for claim in claims), default=0)
    context = None if row.get("context") is None else string(row, "context")
    group = key.replace(f"_{row.get('system')}_", "_")
    made = _made(row, text, label, group=group, unit=Unit.CLAIM, context=context, claims=claims)
    return replace(made, id=key, question=row.get("question"))


_SCHEMAS: tuple[tuple[tuple[str, ...], Callable[[JsonRow, LabelRule], LabelledCase]], ...] = (
    (("claim_triples", "evidence_triples"), _triples),
    (("claim_triples",), _answer),
    (("generated_text", "sentences"), _passage),
    (("output", "context", "label"), _text),
    (("text", "context", "errors"), _draft),
    (("text", "context", "expected"), _expected),
    (("claim", "entity", "label"), _sentence),
    (("triple", "label"), _fact),
)


def _only_as_in_file(rule: LabelRule) -> None:
    if rule is not LabelRule.FILE:
        raise ValueError(f"the label rule {rule.value!r} needs `score` or `sentences`, which these rows lack")


def _claim(item: Any, span: Span) -> LabelledTriple:
    if not isinstance(item, dict) or item.get("label") not in _REFCHECKER:
        raise ValueError(f"a claim needs `triple`, and a `label` among {', '.join(_REFCHECKER)}")
    kind = _REFCHECKER[item["label"]]
    return LabelledTriple(_triple(item.get("triple")), span, int(kind is not None), kind)


def _sentences(row: JsonRow, text: str, rule: LabelRule) -> tuple[LabelledSpan, ...]:
    items = _objects(row, "sentences")
    labels = [
        _label(item) if rule is LabelRule.FILE else of_votes(_number(item, "score", rule, " of `sentences`"), rule)
        for item in items
    ]
    return tuple(map(LabelledSpan, locate(text, [string(item, "text") for item in items]), labels))


def _annotations(row: JsonRow, text: str) -> tuple[Annotation, ...] | None:
    """Return the marks that are found in the text; a mark without words marks nothing."""
    if not isinstance(row.get("spans"), list):
        return None
    return tuple(found for item in row["spans"] if (found := _annotation(item, text)))


def _annotation(item: Any, text: str) -> Annotation | None:
    if not isinstance(item, dict) or item.get("type") not in set(Hallucination):
        raise ValueError("an item of `spans` needs `span`, `start`, and `type` intrinsic or extrinsic")
    span = annotated(text, string(item, "span"), int(item.get("start") or 0))
    return Annotation(span, Hallucination(item["type"])) if span else None


def _any(sentences: Sequence[LabelledSpan]) -> int:
    return max((sentence.label for sentence in sentences), default=0)


def _objects(row: JsonRow, key: str) -> list[JsonRow]:
    if not isinstance(row[key], list) or not all(isinstance(item, dict) for item in row[key]):
        raise ValueError(f"`{key}` is no list of objects")
    return list(row[key])


def _read_triples(row: JsonRow, key: str) -> tuple[Triple, ...]:
    if not isinstance(row[key], list):
        raise ValueError(f"`{key}` is no list")
    return tuple(map(_triple, row[key]))


def _triple(item: Any) -> Triple:
    if not isinstance(item, list) or len(item) != 3 or not all(isinstance(part, str) for part in item):
        raise ValueError(f"no triple of three strings: {item!r:.80}")
    return Triple(*item)


def _label(row: JsonRow) -> int:
    if row.get("label") not in (0, 1):
        raise ValueError(f"`label` is {row.get('label')!r}, not 0 or 1")
    return int(row["label"])


def _number(row: JsonRow, key: str, rule: LabelRule, where: str = "") -> float:
    value = row.get(key)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError(f"the label rule {rule.value!r} needs `{key}`{where} as a number, not {value!r}")
    return float(value)
