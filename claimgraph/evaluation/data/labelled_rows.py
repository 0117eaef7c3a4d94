"""One JSON object of a labelled file to a LabelledCase: the eight schemas, told apart by their keys.

claim_triples + evidence_triples       triples against triples (KEA Explain's data)
claim_triples, a label each            an answer with labelled triples (RefChecker)
generated_text + sentences             a passage with labelled sentences (WikiBio GPT-3)
output + context + label               a text against a context
text + context + expected              a text against a context, with the outcome that is expected
text + context + errors                a draft against a context, with its errors at their spans
claim + entity + label                 a sentence about an entity, in an open domain (CREAK)
triple + label                         a fact, in an open domain (FactBench); its label is 1 for a true one
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from claimgraph.evaluation.data.label_rules import LabelRule, of_rating, of_votes
from claimgraph.evaluation.data.labelled import Annotation, LabelledCase, LabelledSpan, LabelledTriple, Unit
from claimgraph.evaluation.data.labelled_spans import annotated, joined, locate
from claimgraph.kgstore.identity import document_id
from claimgraph.kgstore.model import Hallucination, Outcome, Span, Triple
from claimgraph.kgstore.naming import relation_name

_SYSTEM = re.compile(r"-M\d+$")
"""SummEval's summarisers; the text before names the article."""

_REFCHECKER = {"Entailment": None, "Contradiction": Hallucination.INTRINSIC, "Neutral": Hallucination.EXTRINSIC}

JsonRow = dict[str, Any]


def case_of(row: JsonRow, dataset: str, rule: LabelRule) -> LabelledCase:
    """Return the case of a row. Raises ValueError, saying what is missing or wrong."""
    if "claim_triples" in row:
        return _triples(row, dataset, rule) if "evidence_triples" in row else _answer(row, dataset, rule)
    if "generated_text" in row and "sentences" in row:
        return _passage(row, dataset, rule)
    if "output" in row and "context" in row and "label" in row:
        return _text(row, dataset, rule)
    if "text" in row and "context" in row and ("expected" in row or "errors" in row):
        return _draft(row, dataset, rule) if "errors" in row else _expected(row, dataset, rule)
    if "claim" in row and "entity" in row and "label" in row:
        return _sentence(row, dataset, rule)
    if "triple" in row and "label" in row:
        return _fact(row, dataset, rule)
    raise ValueError(f"no known schema of labelled texts has these keys: {', '.join(sorted(row)) or 'none'}")


def _text(row: JsonRow, dataset: str, rule: LabelRule) -> LabelledCase:
    text, context = _string(row, "output"), _string(row, "context")
    sentences = _sentences(row, text, rule) if row.get("sentences") else None
    return LabelledCase(
        id=str(row.get("id", document_id(text))),
        group=document_id(context),
        dataset=dataset,
        unit=Unit.DOCUMENT,
        text=text,
        label=_document_label(row, sentences, rule),
        context=context,
        sentences=sentences,
        annotations=_annotations(row, text),
        question=row.get("question"),
        rating=row["score"] if isinstance(row.get("score"), int | float | str) else None,
    )


def _expected(row: JsonRow, dataset: str, rule: LabelRule) -> LabelledCase:
    """Return a text of a minimal set: one is consistent where SUPPORTED is expected."""
    outcome = Outcome(_string(row, "expected"))
    return _beside(row, dataset, rule, int(outcome is not Outcome.SUPPORTED))


def _draft(row: JsonRow, dataset: str, rule: LabelRule) -> LabelledCase:
    """Return a draft with planted errors: those that the context contradicts are intrinsic, the others extrinsic."""
    kinds = {Outcome.REFUTED: Hallucination.INTRINSIC, Outcome.NOT_ENOUGH_INFO: Hallucination.EXTRINSIC}
    if not isinstance(row["errors"], list) or not all(isinstance(one, dict) for one in row["errors"]):
        raise ValueError("`errors` is no list of objects")
    marks = tuple(
        Annotation(Span(int(one["start"]), int(one["end"])), kinds[Outcome(one["outcome"])]) for one in row["errors"]
    )
    return replace(_beside(row, dataset, rule, int(bool(marks))), annotations=marks)


def _beside(row: JsonRow, dataset: str, rule: LabelRule, label: int) -> LabelledCase:
    if rule is not LabelRule.FILE:
        raise ValueError(f"the label rule {rule.value!r} needs `score` or `sentences`, which these rows lack")
    text, context = _string(row, "text"), _string(row, "context")
    key = str(row.get("id", document_id(text)))
    return LabelledCase(key, document_id(context), dataset, Unit.DOCUMENT, text, label, context)


def _sentence(row: JsonRow, dataset: str, rule: LabelRule) -> LabelledCase:
    """Return the case of a CREAK row, grouped by the entity: one of its claims may reveal another."""
    text = _string(row, "claim")
    return LabelledCase(
        id=str(row.get("id", document_id(text))),
        group=_string(row, "entity"),
        dataset=dataset,
        unit=Unit.DOCUMENT,
        text=text,
        label=_as_in_file(row, rule),
    )


def _fact(row: JsonRow, dataset: str, rule: LabelRule) -> LabelledCase:
    """Return a triple in words, as a claim that needs no extraction; relations such as "birthPlace" are split into
    words.
    """
    said = _triple(row["triple"])
    triple = Triple(said.subject, relation_name(f"dbo:{said.predicate}"), said.object)
    text, spans = joined([f"{triple.text}."])
    label = 1 - _as_in_file(row, rule)
    return LabelledCase(
        id=str(row.get("id", document_id(text))),
        group=said.subject,
        dataset=dataset,
        unit=Unit.CLAIM,
        text=text,
        label=label,
        claims=(LabelledTriple(triple, spans[0], label),),
    )


def _as_in_file(row: JsonRow, rule: LabelRule) -> int:
    if rule is not LabelRule.FILE:
        raise ValueError(f"the label rule {rule.value!r} needs `score` or `sentences`, which these rows lack")
    return _label(row)


def _document_label(row: JsonRow, sentences: Sequence[LabelledSpan] | None, rule: LabelRule) -> int:
    if rule is LabelRule.FILE:
        return _label(row)
    return _any(sentences) if sentences else of_rating(_number(row, "score", rule), rule)


def _passage(row: JsonRow, dataset: str, rule: LabelRule) -> LabelledCase:
    text, reference = _string(row, "generated_text"), row.get("reference_text")
    sentences = _sentences(row, text, rule)
    return LabelledCase(
        id=str(row.get("id", document_id(text))),
        group=str(row.get("id", document_id(text))),
        dataset=dataset,
        unit=Unit.SENTENCE,
        text=text,
        label=_any(sentences),
        context=None if reference is None else _string(row, "reference_text"),
        sentences=sentences,
    )


def _triples(row: JsonRow, dataset: str, rule: LabelRule) -> LabelledCase:
    """Return the case of a KEA row: one text as triples; `sent_idx` says that the text is a sentence, rated by
    votes.
    """
    triples, evidence = (_read_triples(row, key) for key in ("claim_triples", "evidence_triples"))
    text, spans = joined([f"{triple.text}." for triple in triples])
    label, key = _label(row), str(row.get("id"))
    if rule is not LabelRule.FILE:
        rated = of_votes if "sent_idx" in row else of_rating
        label = rated(_number(row, "label_raw", rule), rule)
    return LabelledCase(
        id=key,
        group=_SYSTEM.sub("", str(row.get("text_id", key))),
        dataset=dataset,
        unit=Unit.SENTENCE if "sent_idx" in row else Unit.DOCUMENT,
        text=text,
        label=label,
        evidence=evidence,
        claims=tuple(map(LabelledTriple, triples, spans)),
        sentences=(LabelledSpan(Span(0, len(text)), label),),
        published=None if row.get("kea_score") is None else _number(row, "kea_score", rule),
    )


def _answer(row: JsonRow, dataset: str, rule: LabelRule) -> LabelledCase:
    """Return the case of a RefChecker row: an answer whose triples are labelled; no context, unless the row has one."""
    if rule is not LabelRule.FILE:
        raise ValueError(f"the label rule {rule.value!r} needs `score` or `sentences`, which labelled triples lack")
    text, key = _string(row, "output"), str(row.get("id"))
    claims = tuple(_claim(item, Span(0, len(text))) for item in row["claim_triples"])
    return LabelledCase(
        id=key,
        group=key.replace(f"_{row.get('system')}_", "_"),
        dataset=dataset,
        unit=Unit.CLAIM,
        text=text,
        label=max((claim.label or 0 for claim in claims), default=0),
        context=None if row.get("context") is None else _string(row, "context"),
        claims=claims,
        question=row.get("question"),
    )


def _claim(item: Any, span: Span) -> LabelledTriple:
    if not isinstance(item, dict) or item.get("label") not in _REFCHECKER:
        raise ValueError(f"a claim needs `triple`, and a `label` among {', '.join(_REFCHECKER)}")
    kind = _REFCHECKER[item["label"]]
    return LabelledTriple(_triple(item.get("triple")), span, int(kind is not None), kind)


def _sentences(row: JsonRow, text: str, rule: LabelRule) -> tuple[LabelledSpan, ...]:
    items = row["sentences"]
    if not isinstance(items, list) or not all(isinstance(item, dict) for item in items):
        raise ValueError("`sentences` is no list of objects")
    labels = [_sentence_label(item, rule) for item in items]
    return tuple(map(LabelledSpan, locate(text, [_string(item, "text") for item in items]), labels))


def _sentence_label(item: JsonRow, rule: LabelRule) -> int:
    return _label(item) if rule is LabelRule.FILE else of_votes(_number(item, "score", rule, "of `sentences`"), rule)


def _annotations(row: JsonRow, text: str) -> tuple[Annotation, ...] | None:
    """Return the marks that are found in the text; a mark without words marks nothing."""
    if not isinstance(row.get("spans"), list):
        return None
    return tuple(found for item in row["spans"] if (found := _annotation(item, text)))


def _annotation(item: Any, text: str) -> Annotation | None:
    if not isinstance(item, dict) or item.get("type") not in set(Hallucination):
        raise ValueError("an item of `spans` needs `span`, `start`, and `type` intrinsic or extrinsic")
    span = annotated(text, _string(item, "span"), int(item.get("start") or 0))
    return Annotation(span, Hallucination(item["type"])) if span else None


def _any(sentences: Sequence[LabelledSpan]) -> int:
    return max((sentence.label for sentence in sentences), default=0)


def _read_triples(row: JsonRow, key: str) -> tuple[Triple, ...]:
    if not isinstance(row[key], list):
        raise ValueError(f"`{key}` is no list")
    return tuple(map(_triple, row[key]))


def _triple(item: Any) -> Triple:
    if not isinstance(item, list) or len(item) != 3 or not all(isinstance(part, str) for part in item):
        raise ValueError(f"no triple of three strings: {item!r:.80}")
    return Triple(*item)


def _string(row: JsonRow, key: str) -> str:
    if not isinstance(row.get(key), str):
        raise ValueError(f"`{key}` is no string")
    return str(row[key])


def _label(row: JsonRow) -> int:
    if row.get("label") not in (0, 1):
        raise ValueError(f"`label` is {row.get('label')!r}, not 0 or 1")
    return int(row["label"])


def _number(row: JsonRow, key: str, rule: LabelRule, where: str = "") -> float:
    value = row.get(key)
    if isinstance(value, bool) or not isinstance(value, int | float):
        place = f"`{key}` {where}".strip()
        raise ValueError(f"the label rule {rule.value!r} needs {place} as a number, not {value!r}")
    return float(value)
