"""CaRB's matching, entity pairs, the CoreNLP protocol, and the report over labelled files."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracle_carb import carb_scores
from typer.testing import CliRunner

from claimgraph.cli.app import app
from claimgraph.detect.extraction.carb import Tuple, match, score
from claimgraph.detect.extraction.corenlp.openie import CoreNLPExtractor
from claimgraph.detect.extraction.extractor import RuleExtractor
from claimgraph.evaluation.extraction import evaluate
from claimgraph.evaluation.statistics.entity_pairs import annotate, score_pairs
from claimgraph.kgstore.errors import InputError, ServiceError
from claimgraph.kgstore.identity import document_id
from claimgraph.kgstore.model import Document

REPLY = Path(__file__).parents[1] / "recorded" / "corenlp.json"
WORDS = st.lists(st.sampled_from(["a", "b", "c", "is", "was", "be", "said"]), max_size=4).map(" ".join)
TUPLES = st.builds(Tuple, WORDS, st.lists(WORDS, min_size=1, max_size=3).map(tuple), st.sampled_from([0.2, 0.5, 0.9]))


def test_match_counts_tokens_by_slot() -> None:
    """Precision and recall are over tokens that stand in the same slot."""
    gold = Tuple("was born in", ("Curie", "Warsaw", "in 1867"))
    assert (1.0, 4 / 7) == match(gold, Tuple("was born", ("Curie", "Warsaw")))
    assert (3 / 4, 3 / 7) == match(gold, Tuple("was", ("Curie", "Warsaw born")))


def test_match_needs_a_shared_relation_word() -> None:
    """Tuples whose relations share nothing do not match, and "be" shares with "was"."""
    gold = Tuple("was", ("Curie", "a chemist"))
    assert (0.0, 0.0) == match(gold, Tuple("became", ("Curie", "a chemist")))
    assert (1.0, 1.0) == match(gold, Tuple("be", ("Curie", "a chemist")))


def test_match_lets_speech_be_turned_round() -> None:
    """With a verb of saying, speaker and speech may be exchanged."""
    assert (1.0, 1.0) == match(Tuple("said", ("Ann", "it rained")), Tuple("said", ("it rained", "Ann")))


SENTENCES = st.lists(
    st.tuples(st.lists(TUPLES, min_size=1, max_size=4), st.lists(TUPLES, max_size=4)), min_size=1, max_size=4
)


@given(SENTENCES)
@settings(max_examples=100, deadline=None)
def test_scores_agree_with_the_definition(sentences: list[tuple[list[Tuple], list[Tuple]]]) -> None:
    """The scorer agrees with a slow version written straight from the definition."""
    found = score(sentences)
    assert carb_scores(sentences) == pytest.approx((found.precision, found.recall, found.f1))


def test_pairs_ignore_order_and_articles() -> None:
    """An extraction hits where its ends name the two entities, in either order; other ends are not counted."""
    gold = annotate([["Aarhus"], ["Jacob_Bundsgaard", "Bundsgaard"], ["Denmark"]], [["Aarhus", "leader", "Bundsgaard"]])
    found = score_pairs([(gold, [("jacob bundsgaard", "the Aarhus"), ("Aarhus", "Denmark"), ("Aarhus", "a harbour")])])
    assert (0.5, 1.0) == (found.precision, found.recall)


def write(path: Path, rows: list[dict[str, object]]) -> Path:
    lines = "".join(json.dumps(row) + "\n" for row in rows).encode()
    path.write_bytes(gzip.compress(lines) if path.suffix == ".gz" else lines)
    return path


def test_reports_on_carb_and_on_pairs(tmp_path: Path) -> None:
    """Files of either kind give a report under the matching that fits them."""
    triple = ["Oslo", "is the capital of", "Norway"]
    text = "Oslo is the capital of Norway ."
    carb = write(tmp_path / "carb.jsonl", [{"id": "1", "text": text, "triples": [triple], "extra_args": [[]]}])
    webnlg = write(tmp_path / "webnlg.jsonl.gz", [{"id": "1", "texts": [text, text], "triples": [triple]}])
    first, second = evaluate(carb, RuleExtractor()), evaluate(webnlg, RuleExtractor())
    assert ("carb", "carb", 1, "entity pairs", 2) == (
        first.dataset, first.matching, first.n, second.matching, second.n
    )  # fmt: skip
    assert (1.0, 1.0) == (second.f1, second.recall)


def test_command_prints_one_object(tmp_path: Path) -> None:
    """`claimgraph eval extraction PATH --json` prints the figures as one JSON object."""
    path = write(tmp_path / "x.jsonl", [{"text": "Oslo is in Norway.", "triples": [["Oslo", "in", "Norway"]]}])
    result = CliRunner().invoke(app, ["eval", "extraction", str(path), "--json"])
    fields = {"dataset", "extractor", "n", "precision", "recall", "f1", "sentences_per_second"}
    assert fields <= set(json.loads(result.stdout))


@pytest.mark.parametrize("line", ["{", "[]", '{"text": "no triples"}', '{"triples": []}'])
def test_a_malformed_file_is_one_line(tmp_path: Path, line: str) -> None:
    """What is no labelled text is an input error that names the file and the line."""
    path = tmp_path / "bad.jsonl"
    path.write_text(line)
    with pytest.raises(InputError, match=r"bad\.jsonl, line 1: "):
        evaluate(path, RuleExtractor())


class _Recorded(BaseHTTPRequestHandler):
    """Answers with what a CoreNLP 4.5.10 server answered."""

    status = 200

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(self.status)
        self.end_headers()
        self.wfile.write(REPLY.read_bytes() if self.status == 200 else b"out of memory\nat edu.stanford")

    def log_message(self, *_: object) -> None:
        """Say nothing on standard error."""


class _Failing(_Recorded):
    status = 500


@pytest.fixture
def server(request: pytest.FixtureRequest) -> Iterator[str]:
    """The address of a local server with the parametrised handler."""
    with HTTPServer(("127.0.0.1", 0), request.param) as served:
        thread = Thread(target=served.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{served.server_port}"
        served.shutdown()
        thread.join()


@pytest.mark.parametrize("server", [_Recorded], indirect=True)
def test_reads_what_corenlp_answers(server: str) -> None:
    """Spans are code points of the text, and a pronoun is replaced by its name where the server resolved it."""
    text = "😀 Marie Curie was born in Warsaw. She won two Nobel Prizes."
    extraction = CoreNLPExtractor(server).extract([Document(document_id(text), text)])[0]
    won = next(claim for claim in extraction.claims if claim.predicate == "won")
    assert won.subject_span is not None
    assert ("Marie Curie", "two Nobel Prizes") == (won.subject, won.object)
    assert "She" == text[won.subject_span.start : won.subject_span.end]
    assert "She won two Nobel Prizes" == won.text
    assert ["😀 Marie Curie was born in Warsaw.", "She won two Nobel Prizes."] == [
        text[span.start : span.end] for span in extraction.sentences
    ]


@pytest.mark.parametrize("server", [_Failing], indirect=True)
def test_a_failing_server_is_one_line(server: str) -> None:
    """The server's own first line is passed on."""
    with pytest.raises(ServiceError, match=r"failed with status 500: out of memory$"):
        CoreNLPExtractor(server).tuples(["Oslo is in Norway."])


def test_no_server_is_one_line() -> None:
    """An address where nothing answers, or that is none, is said."""
    with pytest.raises(ServiceError, match=r"^no CoreNLP server answers at http://127\.0\.0\.1:9: "):
        CoreNLPExtractor("http://127.0.0.1:9").tuples(["Oslo is in Norway."])
    with pytest.raises(InputError, match="must begin with http"):
        CoreNLPExtractor("file:///etc/passwd")
