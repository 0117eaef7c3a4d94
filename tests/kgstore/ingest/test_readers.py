"""Triple files of every format, whole and broken, become statements and broken lines."""

from __future__ import annotations

import bz2
import gzip
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from claimgraph.kgstore.errors import InputError
from claimgraph.kgstore.ingest.lines import MAX_LINE, Broken, SourceFile
from claimgraph.kgstore.ingest.readers import FileTriple, format_of, statements
from claimgraph.kgstore.naming import address, default_graph, display_name, entity_id, graph_name, relation_name


def read(path: Path) -> list[FileTriple | Broken]:
    with SourceFile(path) as source:
        return list(statements(source, format_of(path)))


def written(folder: Path, name: str, content: str | bytes) -> Path:
    data = content.encode() if isinstance(content, str) else content
    packed = {".gz": gzip.compress, ".bz2": bz2.compress}.get(Path(name).suffix, bytes)(data)
    path = folder / name
    path.write_bytes(packed)
    return path


def triples(items: list[FileTriple | Broken]) -> list[tuple[str, str, str]]:
    return [(item.head, item.relation, item.tail) for item in items if isinstance(item, FileTriple)]


def reasons(items: list[FileTriple | Broken]) -> list[tuple[int, str]]:
    return [(item.line, item.reason) for item in items if isinstance(item, Broken)]


@pytest.mark.parametrize("packing", ["", ".gz", ".bz2"])
@pytest.mark.parametrize(
    ("ending", "content"),
    [
        ("tsv", "a\tlikes\tb\n"),
        ("tsv", "head\trelation\ttail\tsplit\na\tlikes\tb\ttrain\n"),
        ("tsv", "\ufeffTail\tHead\tRelation\r\nb\ta\tlikes\r\n\r\n"),
        ("csv", "a,likes,b"),
        ("csv", 'Subject,Predicate,Object\n"a",likes,"b"\n'),
        ("jsonl", '{"head": "a", "relation": "likes", "tail": "b", "other": [1]}\n'),
        ("jsonl", '{"subject": "a", "predicate": "likes", "object": "b"}\n'),
    ],
)
def test_every_table_format(tmp_path: Path, ending: str, content: str, packing: str) -> None:
    """The same triple is read from each format, with or without a header, plain or compressed."""
    assert [("a", "likes", "b")] == triples(read(written(tmp_path, f"x.{ending}{packing}", content)))


@pytest.mark.parametrize("packing", ["", ".gz", ".bz2"])
@pytest.mark.parametrize(
    ("ending", "content"),
    [
        ("nt", "# a comment\n<http://x/a> <http://x/likes> <http://x/b> . # and another\n"),
        ("ttl", "@prefix x: <http://x/> .\nx:a\n  x:likes\n  x:b ."),
    ],
)
def test_every_rdf_format(tmp_path: Path, ending: str, content: str, packing: str) -> None:
    """The same triple is read from N-Triples and from Turtle, plain or compressed."""
    expected = [("http://x/a", "http://x/likes", "http://x/b")]
    assert expected == triples(read(written(tmp_path, f"x.{ending}{packing}", content)))


def test_compression_is_told_by_content(tmp_path: Path) -> None:
    """A file that says .gz and is not compressed is read as it is, and the other way round."""
    (tmp_path / "x.tsv.gz").write_bytes(b"a\tb\tc\n")
    (tmp_path / "y.tsv").write_bytes(gzip.compress(b"a\tb\tc\n"))
    assert [("a", "b", "c")] == triples(read(tmp_path / "x.tsv.gz")) == triples(read(tmp_path / "y.tsv"))


def test_typed_values(tmp_path: Path) -> None:
    """RDF literals, JSON numbers and ISO dates are values with a datatype; a number in a table may be an id."""
    nt = written(
        tmp_path,
        "x.nt",
        '<http://x/a> <http://x/b> "1879-03-14"^^<http://www.w3.org/2001/XMLSchema#date> .\n'
        '<http://x/a> <http://x/b> "Caf\\u00E9 \\"q\\""@en .\n<http://x/a> <http://x/b> "plain" .\n',
    )
    assert [
        ("1879-03-14", "http://www.w3.org/2001/XMLSchema#date", None),
        ('Café "q"', "", "en"),
        ("plain", "", None),
    ] == [(s.tail, s.datatype, s.language) for s in read(nt) if isinstance(s, FileTriple)]
    rows = '{"head":"a","relation":"b","tail":3.5}\n{"head":"a","relation":"b","tail":true}\n'
    assert [("3.5", "decimal"), ("true", "boolean")] == [
        (s.tail, s.datatype) for s in read(written(tmp_path, "x.jsonl", rows)) if isinstance(s, FileTriple)
    ]
    table = written(tmp_path, "x.tsv", "a\tborn\t1879-03-14\na\tnext\t1984\n")
    assert [("1879-03-14", "date"), ("1984", None)] == [
        (s.tail, s.datatype) for s in read(table) if isinstance(s, FileTriple)
    ]


def test_labels_and_validity(tmp_path: Path) -> None:
    """Label, validity, unit and source columns are taken by their names; qualifiers are kept as sorted JSON."""
    (row,) = read(
        written(
            tmp_path, "x.csv", "head,relation,tail,head_label,Valid From,source\nQ76,P39,Q11696,Obama,2009-01-20,w\n"
        )
    )
    assert FileTriple(2, "Q76", "P39", "Q11696", head_label="Obama", valid_from="2009-01-20", source="w") == row
    (row,) = read(
        written(
            tmp_path,
            "x.jsonl",
            '{"s":"a","p":"b","o":"12","datatype":"quantity","unit":"m","qualifiers":{"b":1,"a":"é"}}',
        )
    )
    assert FileTriple(1, "a", "b", "12", datatype="quantity", unit="m", qualifiers='{"a":"é","b":1}') == row


def test_anonymous_nodes_are_named_alike_every_time(tmp_path: Path) -> None:
    """Two readings of a Turtle file give its anonymous nodes the same names; named blank nodes keep theirs."""
    path = written(tmp_path, "x.ttl", "@prefix x: <http://x/> .\nx:a x:b [ x:c x:d ], [ x:c _:mine ] .")
    assert triples(read(path)) == triples(read(path))
    assert {"_:anonymous-1", "_:anonymous-2", "_:mine"} == {t for s in triples(read(path)) for t in s if t[0] == "_"}


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        ("x.tsv", "a\tb\n\tb\tc\na\tb\tc\na\tb\tc\td\te\n", [(1, "2 columns"), (2, "no head"), (4, "5 columns")]),
        ("x.csv", 'a,b,c\n"a,b,c\n"a"x,b,c\na,b,c\n', [(2, "unexpected end"), (3, "',' expected")]),
        ("x.tsv", b"a\tb\tc\n\xff\tb\tc\n", [(2, "not UTF-8 at byte 1")]),
        ("x.jsonl", '{\n[1]\n{"s":"a","p":"b"}\n', [(1, "not JSON"), (2, "not a JSON object"), (3, "no tail")]),
        ("x.jsonl", '{"s":["a"],"p":"b","o":"c"}\n', [(1, "s is not text")]),
        ("x.jsonl", '{"s":"a","p":"b","o":"\\ud800"}\n' + "[" * 100_000, [(1, "not JSON"), (2, "not JSON")]),
        ("x.nt", "<a> <b> <c> .\n<http://x/a> <http://x/b> .\n", [(1, "No scheme"), (2, "")]),
        ("x.ttl", "@prefix x: <http://x/> .\nx:a x:b x:c .\nx:a garbage .\nx:a x:b x:d .\n", [(3, "garbage is not")]),
    ],
)  # fmt: skip
def test_broken_lines_are_told_and_passed_over(
    tmp_path: Path, name: str, content: str | bytes, expected: list[tuple[int, str]]
) -> None:
    """Each line that cannot be used is reported with its number and a reason; the others are read."""
    found = reasons(read(written(tmp_path, name, content)))
    assert [line for line, _ in expected] == [line for line, _ in found]
    assert all(reason in said for (_, reason), (_, said) in zip(expected, found, strict=True))


def test_a_very_long_line_is_passed_over(tmp_path: Path) -> None:
    """A line over the limit costs only itself, and is never held whole."""
    path = written(tmp_path, "x.tsv.gz", "a\tb\tc\n" + "x" * (2 * MAX_LINE + 10) + "\nd\te\tf\n")
    assert [("a", "b", "c"), ("d", "e", "f")] == triples(read(path))
    assert [(2, "line longer than 4 MiB")] == reasons(read(path))


@pytest.mark.parametrize(
    ("name", "content", "line"),
    [
        ("x.tsv", b"", "is empty"),
        ("x.tsv.gz", gzip.compress(b"  \n", mtime=0), "is empty"),
        ("x.tsv", b"\x00\x01\x02", "is a binary file"),
        ("x.tsv.gz", gzip.compress(b"a\tb\tc\n" * 100_000, mtime=0)[:150], "is cut short"),
        ("x.tsv.bz2", bz2.compress(b"a\tb\tc\n" * 100_000)[:50], "is cut short"),
        ("x.tsv.gz", gzip.compress(b"a\tb\tc\n", mtime=0)[:-8] + b"\0" * 8, "cannot be read on"),
        ("x.ttl.gz", gzip.compress(b"<http://a> <http://a> <http://b> .\n" * 100_000, mtime=0)[:200], "is cut short"),
        ("x.xlsx", b"a", "supported: .tsv, .csv, .jsonl, .nt, .ttl"),
    ],
)
def test_a_file_that_cannot_be_read_is_one_line(tmp_path: Path, name: str, content: bytes, line: str) -> None:
    """Empty, binary, cut-off and unknown files raise InputError with one line that names the file."""
    (tmp_path / name).write_bytes(content)
    with pytest.raises(InputError, match=line) as caught:
        read(tmp_path / name)
    assert name in str(caught.value)
    assert 1 == len(str(caught.value).splitlines())


def test_missing_file_and_folder(tmp_path: Path) -> None:
    """A missing path or a folder is an InputError."""
    for path in (tmp_path / "no.tsv", tmp_path):
        with pytest.raises(InputError, match="cannot read"):
            SourceFile(path)


@settings(max_examples=60, deadline=None)
@given(st.binary(min_size=1, max_size=300), st.sampled_from(["tsv", "csv", "jsonl", "nt", "ttl"]))
def test_no_bytes_raise_anything_else(tmp_path_factory: pytest.TempPathFactory, data: bytes, ending: str) -> None:
    """Whatever a file holds, reading it gives items or an InputError."""
    path = tmp_path_factory.getbasetemp() / f"any.{ending}"
    path.write_bytes(data)
    try:
        items = read(path)
    except InputError:
        return
    assert all(isinstance(item, (FileTriple, Broken)) for item in items)


@pytest.mark.parametrize(
    ("key", "expected"),
    [
        ("Q90", "wd:Q90"),
        ("http://www.wikidata.org/entity/Q90", "wd:Q90"),
        ("http://www.wikidata.org/prop/direct/P31", "wd:P31"),
        ("https://www.wikidata.org/wiki/Property:P31", "wd:P31"),
        ("http://dbpedia.org/resource/Caf%C3%A9_M25", "dbr:Café_M25"),
        ("http://dbpedia.org/resource/M25", "dbr:M25"),
        ("http://dbpedia.org/ontology/birthPlace", "dbo:birthPlace"),
        ("http://rdf.freebase.com/ns/m.027rn", "fb:/m/027rn"),
        ("/m/027rn", "fb:/m/027rn"),
        ("http://x.org/a#b", "http://x.org/a#b"),
        ("Ayn_Rand", "mine:Ayn_Rand"),
    ],
)
def test_ids(key: str, expected: str) -> None:
    """Keys are the graph's own, IRIs are global, and Wikidata, DBpedia and Freebase have short ids in both forms."""
    assert expected == entity_id("mine", key)


@pytest.mark.parametrize(
    ("identity", "entity", "relation"),
    [
        ("wd:Q90", "Q90", "Q90"),
        ("wd:P58", "P58", "screenwriter"),
        ("wd:P99999999", "P99999999", "P99999999"),
        ("dbo:birthPlace", "birthPlace", "birth place"),
        ("dbr:New_York", "New York", "New York"),
        ("fb:/tv/tv_program/regular_cast./tv/regular_tv_appearance/actor", None, "regular cast actor"),
        ("http://x.org/ns#isPartOf", "isPartOf", "is part of"),
        ("mine:_hypernym", "hypernym", "hypernym"),
    ],
)
def test_names_made_from_ids(identity: str, entity: str | None, relation: str) -> None:
    """Without a label, a name is made from the id alone."""
    assert entity in (None, display_name(identity))
    assert relation == relation_name(identity)


def test_addresses() -> None:
    """Ids of Wikidata and DBpedia and IRIs can be opened; a graph's own keys cannot."""
    assert "http://www.wikidata.org/entity/Q90" == address("wd:Q90")
    assert "http://dbpedia.org/resource/Caf%C3%A9" == address("dbr:Café")
    assert "http://x.org/a" == address("http://x.org/a")
    assert None is address("mine:a")


def test_graph_names(tmp_path: Path) -> None:
    """A graph's name comes from the file's; names with other characters or a taken prefix are refused in one line."""
    assert "codex_m_triples" == default_graph(tmp_path / "codex_m_triples.tsv.gz")
    assert "latest-truthy" == default_graph(tmp_path / "latest-truthy.nt.bz2")
    assert "my-facts-2" == default_graph(tmp_path / "my facts (2).CSV")
    for name in ("claim:x", "context:x", "a b", "", "doc", "é", "x" * 101, "-x", "a`b"):
        with pytest.raises(InputError, match="cannot name a graph"):
            graph_name(name)
