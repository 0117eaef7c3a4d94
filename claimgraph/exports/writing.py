"""Write checked documents in one of the export formats: what `claimgraph export` and the server share."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from io import TextIOWrapper
from typing import BinaryIO

from claimgraph.exports.judged import JudgedDocument
from claimgraph.exports.labels import LabelSet


class Form(StrEnum):
    """The formats of an export."""

    JSONL = "jsonl"
    CSV = "csv"
    FEVER = "fever"
    CLAIMREVIEW = "claimreview"
    PROV = "prov"
    TTL = "ttl"
    NT = "nt"
    TRIG = "trig"
    GRAPHML = "graphml"
    CYPHER = "cypher"
    PARQUET = "parquet"


def write(form: Form, found: Iterable[JudgedDocument], file: BinaryIO, labels: LabelSet | None = None) -> int:
    """Write the documents; return the number of verdicts. `labels` are of jsonl, csv and parquet.

    Raises MissingExtra without rdflib, networkx or pyarrow, for the formats that need it.
    """
    from claimgraph.exports import claimreview, cypher, fever, graph, parquet, rdf, rows

    if form in rdf.FORMATS:
        return rdf.write_rdf(found, file, form)
    if form is Form.GRAPHML:
        return graph.write_graphml(found, file)
    if form is Form.PARQUET:
        return parquet.write_parquet(found, file, labels)
    text = TextIOWrapper(file, encoding="utf-8", newline="", write_through=True)
    try:
        if form is Form.JSONL:
            return rows.write_jsonl(found, text, labels)
        if form is Form.CSV:
            return rows.write_csv(found, text, labels)
        if form is Form.FEVER:
            return fever.write_fever(found, text)
        return (claimreview.write_claimreview if form is Form.CLAIMREVIEW else cypher.write_cypher)(found, text)
    finally:
        text.detach()
