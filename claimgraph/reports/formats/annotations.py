"""Write the problems of a checked text for pipelines, which show them at their line: GitHub, SARIF 2.1.0, JUnit XML.

Lines and columns are those of the file where it is a text; of PDF, Word and HTML files they mean nothing and are left
out.
"""

from __future__ import annotations

import json
import re
from importlib.metadata import version
from pathlib import PurePath
from typing import Any
from urllib.parse import quote
from xml.etree import ElementTree

from claimgraph.kgstore.model import Outcome, Report, Span
from claimgraph.reports.places import Place, cited, evidence_place, place_of, sources_of
from claimgraph.reports.statements import StatementVerdict, problems, statements

_NO_LINES = {".pdf", ".docx", ".html", ".htm"}
_LEVELS = {Outcome.REFUTED: "error", Outcome.NOT_ENOUGH_INFO: "warning"}
_RULES = {
    Outcome.REFUTED: ("refuted", "The evidence contradicts the statement."),
    Outcome.NOT_ENOUGH_INFO: ("not-enough-info", "The evidence neither supports nor contradicts the statement."),
}
_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def github(report: Report) -> str:
    """Return workflow commands that annotate each problem at its lines: an error where refuted, else a warning."""
    return "\n".join(_command(report, one) for one in problems(statements(report)))


def sarif(report: Report) -> str:
    """Return a SARIF 2.1.0 log with a result for each problem; its evidence is a related location."""
    driver = {
        "name": "claimgraph",
        "version": version("claimgraph"),
        "rules": [{"id": name, "shortDescription": {"text": text}} for name, text in _RULES.values()],
    }
    results = [_result(report, one) for one in problems(statements(report))]
    run = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}
    return json.dumps({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}, ensure_ascii=False, indent=2)


def junit(report: Report) -> str:
    """Return JUnit XML: a test case for each statement, failed where refuted, skipped where not enough is known."""
    found, name = statements(report), _xml(_name(report))
    counts = {outcome: sum(one.outcome is outcome for one in found) for outcome in Outcome}
    totals = {
        "name": name,
        "tests": str(len(found)),
        "failures": str(counts[Outcome.REFUTED]),
        "skipped": str(counts[Outcome.NOT_ENOUGH_INFO]),
        "errors": "0",
        "time": f"{report.seconds:.3f}",
    }
    root = ElementTree.Element("testsuites")
    suite = ElementTree.SubElement(root, "testsuite", totals)
    for one in found:
        case = ElementTree.SubElement(suite, "testcase", {"classname": name, "name": _xml(one.text)})
        if _has_lines(report):
            case.set("line", str(place_of(report.document.text, one.span).line))
        if one.outcome in _LEVELS:
            kind = "failure" if one.outcome is Outcome.REFUTED else "skipped"
            ElementTree.SubElement(case, kind, {"message": _xml(one.reason)}).text = _xml(_evidence(report, one))
    ElementTree.indent(root)
    return '<?xml version="1.0" encoding="utf-8"?>\n' + ElementTree.tostring(root, encoding="unicode")


def _command(report: Report, one: StatementVerdict) -> str:
    start, end = _ends(report, one.span)
    values = {"file": _name(report), "title": f"{one.outcome.value.replace('_', ' ').capitalize()}: {one.text}"}
    if _has_lines(report):
        values |= {"line": str(start.line), "endLine": str(end.line)}
        if start.line == end.line:
            values |= {"col": str(start.column), "endColumn": str(end.column)}
    listed = ",".join(f"{key}={_escaped(value, in_property=True)}" for key, value in values.items())
    return f"::{_LEVELS[one.outcome]} {listed}::{_escaped(f'{one.reason} {_evidence(report, one)}'.strip())}"


def _escaped(text: str, *, in_property: bool = False) -> str:
    text = text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
    return text.replace(":", "%3A").replace(",", "%2C") if in_property else text


def _result(report: Report, one: StatementVerdict) -> dict[str, Any]:
    result: dict[str, Any] = {
        "ruleId": _RULES[one.outcome][0],
        "level": _LEVELS[one.outcome],
        "message": {"text": f"{one.text} {one.reason} {_evidence(report, one)}".strip()},
        "locations": [{"physicalLocation": _location(report, one.span)}],
        "partialFingerprints": {"claim/v1": one.claim.id},
    }
    if related := _related(report, one):
        result["relatedLocations"] = [related]
    return result


def _location(report: Report, span: Span) -> dict[str, Any]:
    location: dict[str, Any] = {"artifactLocation": {"uri": _uri(_name(report))}}
    if _has_lines(report):
        start, end = _ends(report, span)
        region = {"startLine": start.line, "startColumn": start.column, "endLine": end.line, "endColumn": end.column}
        location["region"] = region | {"charOffset": span.start, "charLength": span.end - span.start}
    return location


def _related(report: Report, one: StatementVerdict) -> dict[str, Any] | None:
    citation = one.decided_by
    place = evidence_place(citation.evidence, sources_of(report)) if citation else None
    if citation is None or place is None:
        return None
    source = sources_of(report)[citation.evidence.document or ""]
    location: dict[str, Any] = {"artifactLocation": {"uri": _uri(source.source or citation.evidence.source)}}
    if PurePath(source.source or "").suffix.lower() not in _NO_LINES:
        location["region"] = {"startLine": place.line, "startColumn": place.column}
    return {"physicalLocation": location, "message": {"text": " ".join(citation.evidence.text.split())}}


def _ends(report: Report, span: Span) -> tuple[Place, Place]:
    """Return the places of a span's first character and of the one after it."""
    text = report.document.text
    end = span.end - (len(text[span.start : span.end]) - len(text[span.start : span.end].rstrip()))
    before = text[:end]
    return place_of(text, span), Place(before.count("\n") + 1, end - before.rfind("\n"))


def _evidence(report: Report, one: StatementVerdict) -> str:
    if one.decided_by is None:
        return ""
    piece = one.decided_by.evidence
    return f"{cited(piece, sources_of(report))}: “{' '.join(piece.text.split())}”"


def _name(report: Report) -> str:
    return report.document.source or report.document.name or "text"


def _has_lines(report: Report) -> bool:
    return PurePath(_name(report)).suffix.lower() not in _NO_LINES


def _uri(name: str) -> str:
    return name if "://" in name else quote(PurePath(name).as_posix())


def _xml(text: str) -> str:
    """Return the text without the characters that XML 1.0 cannot hold."""
    return re.sub(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]", "", text)
