"""Texts and contexts as users have them: several files, folders, patterns, PDF, Word, HTML, and addresses."""

from __future__ import annotations

import json
import socket
import threading
import time
import zipfile
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from command import Cli
from written_files import docx, pdf

from claimgraph.input_texts import fetching, formats, read_argument, read_contexts, read_file
from claimgraph.input_texts.fetching import fetched
from claimgraph.kgstore.errors import InputError, ServiceError, UsageError
from claimgraph.kgstore.model import Span
from claimgraph.reports.places import Place, place_of

PAGE = """<!doctype html><html><head><title>No</title><style>p {}</style><body><nav>Home | About</nav>
<h1>Lead&nbsp;mine</h1><p>The mine opened in <b>18</b>81.</p><script>var p = "<p>no</p>"</script>
<table><tr><td>Depth</td><td>40&nbsp;m</td></tr></table><ul><li>One</li><li>Two</li></ul></body></html>"""


def test_a_pdf_is_read_with_its_pages(tmp_path: Path) -> None:
    """A page ends with a form feed; a place in the text tells line and page."""
    text = read_file(pdf(tmp_path / "a.pdf", "The mine opened in 1881.\nIt is deep.", "It closed in 1903."), 1).text
    assert "The mine opened in 1881.\nIt is deep.\fIt closed in 1903." == text
    start = text.index("It closed")
    assert Place(2, 13, 2) == place_of(text, Span(start, len(text)))


def test_a_word_file_is_read_in_its_order(tmp_path: Path) -> None:
    """A paragraph is a line, and so is a row of a table."""
    path = docx(tmp_path / "a.docx", "The mine opened in 1881.", "It is deep.", rows=(("Depth", "40 m"),))
    assert "The mine opened in 1881.\nIt is deep.\nDepth | 40 m" == read_file(path, 1).text


def test_a_page_is_read_without_what_surrounds_its_text(tmp_path: Path) -> None:
    """A block of HTML is a line; inline elements do not part words; scripts, styles and navigation are passed over."""
    path = tmp_path / "a.HTML"
    path.write_text(PAGE, encoding="utf-8")
    assert ["Lead mine", "The mine opened in 1881.", "Depth 40 m", "One", "Two"] == read_file(path, 1).text.split("\n")


@pytest.mark.parametrize(
    ("name", "data", "says"),
    [
        ("a.pdf", b"%PDF-1.4 cut off", "a PDF file that cannot be read"),
        ("a.docx", b"PK cut off", "a Word file that cannot be read"),
        ("a.html", b"<nav>only</nav>", "no text in it"),
        ("a.xlsx", b"PK\0\0", "formats that are read"),
    ],
)
def test_what_cannot_be_read_is_one_line(tmp_path: Path, name: str, data: bytes, says: str) -> None:
    """A broken file is an InputError that names it and says why."""
    (tmp_path / name).write_bytes(data)
    with pytest.raises(InputError, match=says) as error:
        read_file(tmp_path / name, 1)
    assert name in str(error.value)
    assert "\n" not in str(error.value)


def test_a_scan_says_that_it_has_no_text(tmp_path: Path) -> None:
    """A PDF without text is refused with the way out."""
    with pytest.raises(InputError, match="a scan"):
        read_file(pdf(tmp_path / "a.pdf", ""), 1)


def test_contexts_are_files_folders_and_patterns(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All texts of a folder are read, hidden ones left out; equal names become paths."""
    monkeypatch.chdir(tmp_path)
    for name in ("one/a.txt", "one/deep/b.md", "one/.hidden/c.txt", "one/d.png", "two/a.txt"):
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text(name, encoding="utf-8")
    assert ["a.txt", "deep/b.md"] == [one.name for one in read_contexts(["one"], 1)]
    assert ["one/a.txt", "two/a.txt"] == [one.name for one in read_contexts(["*/a.txt"], 1)]
    assert ["b.md"] == [one.name for one in read_contexts([str(tmp_path / "**" / "*.md")], 1)]
    for argument, says in (("*.rst", "no file matches"), ("three.txt", "No such file")):
        with pytest.raises(InputError, match=says):
            read_contexts([argument], 1)
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match="no file there ends in"):
        read_contexts(["empty"], 1)
    with pytest.raises(InputError, match="claimgraph submit"):
        read_argument("one", 1)


class _Pages(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        kind, body = {
            "/page": ("text/html; charset=utf-8", PAGE.encode()),
            "/large": ("text/plain", b"word " * 400_000),
            "/data": ("application/zip", b"PK"),
        }.get(self.path, ("", b""))
        if self.path in ("/moved", "/away"):
            self.send_response(302)
            port = self.server.server_address[1]
            self.send_header("Location", "/page" if self.path == "/moved" else f"http://evil.example:{port}/page")
            self.end_headers()
            return
        self.send_response(200 if kind or self.path == "/slow" else 404)
        self.send_header("Content-Type", kind or "text/plain")
        self.end_headers()
        for _ in range(20 if self.path == "/slow" else 0):
            self.wfile.write(b"word ")
            time.sleep(0.05)
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Print nothing."""


@pytest.fixture
def site() -> Iterator[str]:
    """Address of a server with a few pages."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Pages)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


def test_an_address_is_fetched_only_when_asked(site: str) -> None:
    """Without leave an address is refused; with it the page is read, and named by its address."""
    with pytest.raises(UsageError, match="--fetch-urls"):
        read_contexts([f"{site}/page"], 1)
    [found] = read_contexts([f"{site}/moved"], 1, fetch=True, private=True)
    assert (f"{site}/moved", True) == (found.name, "opened in 1881" in found.text)


@pytest.mark.parametrize(
    ("path", "error", "says"),
    [
        ("large", InputError, "larger than 1 MiB"),
        ("data", InputError, "application/zip"),
        ("gone", ServiceError, "404"),
        ("slow", ServiceError, "0.3 seconds"),
    ],
)
def test_fetching_has_limits(site: str, path: str, error: type[Exception], says: str) -> None:
    """Size, time, media type and status are limited; the line names the address."""
    with pytest.raises(error, match=says) as raised:
        fetched(f"{site}/{path}", 1, seconds=0.3 if path == "slow" else 10, private=True)
    assert f"{site}/{path}" in str(raised.value)


@pytest.mark.parametrize(
    "host",
    [
        "127.0.0.1", "localhost", "0.0.0.0", "10.1.2.3", "169.254.169.254", "192.168.0.1", "100.64.0.1", "2130706433",
        "0x7f.1", "[::1]", "[::ffff:127.0.0.1]", "[fd00::1]", "[fe80::1]", "[2002:7f00:1::]", "[64:ff9b::7f00:1]",
        "224.0.0.1", "[::7f00:1]", "[fec0::1]", "[64:ff9b:1::7f00:1]", "[::ffff:0:7f00:1]", "[2001:db8::1]",
        "[::ffff:10.1.2.3]", "[::]",
    ],
)  # fmt: skip
def test_no_private_address_is_fetched(host: str) -> None:
    """Addresses of this machine and its network are refused before anything is sent, however they are written."""
    with pytest.raises(InputError, match="not public"):
        fetched(f"http://{host}/page", 1)


def test_a_name_and_a_redirection_are_looked_up_once(site: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A name that answers otherwise the second time gains nothing, since the first answer is used; where a redirection
    leads to is looked up as well.
    """
    port, asked = site.rpartition(":")[2], list[str]()
    real = socket.getaddrinfo

    def answer(host: str, *rest: Any, **more: Any) -> Any:
        asked.append(host)
        return real("127.0.0.1" if host.endswith(".example") else host, *rest, **more)

    monkeypatch.setattr(socket, "getaddrinfo", answer)
    monkeypatch.setattr(fetching, "_is_public", lambda _: asked[-1] == "good.example")
    assert "opened in 1881" in fetched(f"http://good.example:{port}/page", 1).text
    assert ["good.example", "127.0.0.1"] == asked
    with pytest.raises(InputError, match=r"evil\.example is at 127\.0\.0\.1, which is not public"):
        fetched(f"http://good.example:{port}/away", 1)


def test_a_packed_file_is_not_unpacked_without_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A Word file that unpacks to gigabytes, one with entities that multiply, and a PDF file of one are one line."""
    bomb, packed = tmp_path / "bomb.docx", docx(tmp_path / "small.docx", "One.")
    with zipfile.ZipFile(packed) as small, zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as large:
        for part in small.namelist():
            large.writestr(part, small.read(part))
        large.writestr("word/media.bin", b"0" * (formats.MOST + 1))
    assert bomb.stat().st_size < 200_000
    with pytest.raises(InputError, match="unpack to 101 MiB"):
        read_file(bomb, 1)
    lols = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))
    head = f'<?xml version="1.0"?><!DOCTYPE w [<!ENTITY l0 "lol">{lols}]>'
    body = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
    with zipfile.ZipFile(packed) as small, zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as large:
        for part in small.namelist():
            within = "<w:body><w:p><w:r><w:t>&l9;</w:t></w:r></w:p></w:body>"
            laughing = f'{head}<w:document xmlns:w="{body}">{within}</w:document>'
            large.writestr(part, laughing if part == "word/document.xml" else small.read(part))
    with pytest.raises(InputError, match=r"bomb\.docx: "):
        read_file(bomb, 1)
    monkeypatch.setattr(formats, "MOST", 20)
    with pytest.raises(InputError, match="unpacks to too much"):
        read_file(pdf(tmp_path / "a.pdf", "Some words.", "Some more words."), 1)


def test_the_text_of_a_file_has_the_limit_of_texts(tmp_path: Path) -> None:
    """A small file whose text is larger than a text may be is refused, with the setting that allows it."""
    path = docx(tmp_path / "long.docx", "word " * 40_000)
    assert path.stat().st_size < 50_000
    with pytest.raises(InputError, match="its text is larger than"):
        read_file(path, 0.1)


def test_a_verdict_names_context_line_and_page(cli: Cli, tmp_path: Path) -> None:
    """Checked against several contexts, each claim cites the one that decides it, with its line, or its page."""
    pdf(tmp_path / "report.pdf", "The mine stands in Wales.", "The mine closed in 1903.")
    (tmp_path / "notes.txt").write_text("About the mine.\n\nThe mine opened in 1881.\n", encoding="utf-8")
    text = "The mine opened in 1891. The mine closed in 1903."
    more = ("--context", "report.pdf", "--context", "notes.txt")
    done = cli("check", text, *more, "--json")
    report = json.loads(done.stdout)
    cited = {
        claim["object"]: claim["verdict"]["evidence"][0] | {"outcome": claim["verdict"]["outcome"]}
        for claim in report["claims"]
    }
    assert ["report.pdf", "notes.txt"] == [one["name"] for one in report["contexts"]]
    assert ("REFUTED", "notes.txt", 3, None) == tuple(cited["1891"][k] for k in ("outcome", "source", "line", "page"))
    assert ("SUPPORTED", "report.pdf", 2) == tuple(cited["1903"][k] for k in ("outcome", "source", "page"))
    assert "notes.txt:3" in cli("check", text, *more).stdout
    asked = "MATCH (:Run)-[:AGAINST]->(d:Document) RETURN d.name AS name ORDER BY name"
    assert ["notes.txt", "report.pdf"] == [row["name"] for row in json.loads(cli("cypher", asked, "--json").stdout)]
    corrected = cli("correct", text, *more)
    assert "[-1891-]{+1881+}" in corrected.stdout
    assert "report.pdf" not in cli("verdicts", "--outcome", "REFUTED").stdout
