"""Give a report of a check the forms that notebooks and pipelines take, each by a library imported when asked for."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any

from claimgraph.kgstore.extras import require
from claimgraph.kgstore.model import Report
from claimgraph.reports.check_report import as_json
from claimgraph.reports.places import sources_of
from claimgraph.reports.stored_document import StoredDocument

if TYPE_CHECKING:
    from networkx import MultiDiGraph
    from pandas import DataFrame
    from rdflib import Dataset

    from claimgraph.exports.judged import JudgedDocument


class CheckReport(Report):
    """A report of a check, which a notebook shows and other libraries take."""

    __slots__ = ()

    @classmethod
    def of(cls, report: Report) -> CheckReport:
        """Return a report with these methods."""
        return cls(*(getattr(report, field.name) for field in fields(Report)))

    def to_dict(self) -> dict[str, Any]:
        """Return the object of `claimgraph check --json` (docs/json.md), without `usage`."""
        return as_json(self)

    def to_pandas(self) -> DataFrame:
        """Return a data frame with a row a claim; its columns are those of `--format csv`.

        Raises MissingExtra without pandas.
        """
        require("export", "pandas")
        from pandas import DataFrame

        from claimgraph.reports.formats.rows import COLUMNS, row

        rows = [row(self, *pair) for pair in zip(self.claims, self.verdicts, strict=True)]
        return DataFrame(rows, columns=list(COLUMNS))

    def to_networkx(self) -> MultiDiGraph[str]:
        """Return document, claims, verdicts and evidence as a graph, as `claimgraph export --format graphml` has it.

        Raises MissingExtra without networkx.
        """
        from claimgraph.exports.graph import to_networkx

        return to_networkx([self._judged()])

    def to_rdf(self) -> Dataset:
        """Return the report as RDF, as `claimgraph export --format trig` has it. Raises MissingExtra without rdflib."""
        from claimgraph.exports.rdf import add, dataset

        made = dataset()
        add(made, self._judged())
        return made

    def _repr_html_(self) -> str:
        """Return the page of `--format html`, framed, so that its style stays its own."""
        from html import escape

        from claimgraph.reports.formats.pages import html

        return f'<iframe style="width:100%;height:32rem;border:0" srcdoc="{escape(html(self))}"></iframe>'

    def _judged(self) -> JudgedDocument:
        from claimgraph.exports.judged import JudgedDocument

        return JudgedDocument(StoredDocument(self.document, self.claims, self.verdicts, sources_of(self), ()), {})
