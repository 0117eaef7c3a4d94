"""`claimgraph submit` as a user meets it: here without a broker, queued with one."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import Result
from fastapi.testclient import TestClient
from kombu import Connection
from typer.testing import CliRunner
from worker_processes import broker_url

from claimgraph import wiring
from claimgraph.cli.app import app
from claimgraph.cli.many import runs
from claimgraph.kgstore import reads
from claimgraph.kgstore.engines.bolt import BoltStore
from claimgraph.kgstore.errors import InputError
from claimgraph.kgstore.runs.board import Board
from claimgraph.kgstore.runs.jobs import BatchStatus
from claimgraph.kgstore.upkeep.forget import forget
from claimgraph.kgstore.upkeep.stats import stats
from claimgraph.settings import load_settings
from claimgraph.web.app import make_app
from claimgraph.workers.messaging import broker
from claimgraph.workers.tasks.task_table import CPU

CONTEXT = "Ann was born in Oslo. She lives in Rome."
TEXTS = {"a.txt": "Ann was born in Paris.", "sub/b.md": "Ann lives in Rome.", "c.txt": "Ann was born in Oslo."}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working folder, with a context and a folder of texts."""
    for name, text in {"context.txt": CONTEXT, **{f"texts/{name}": text for name, text in TEXTS.items()}}.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, "utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CLAIMGRAPH_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("COLUMNS", "250")
    return tmp_path


@pytest.fixture
def alone(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """That folder with an embedded store beside the texts, and no broker."""
    for name in ("NEO4J_URI", "CELERY_BROKER_URL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("CLAIMGRAPH_STORE", str(folder / "store"))
    return folder


def submit(*arguments: str, stdin: str | None = None) -> Result:
    """`claimgraph submit ...` by the rules, in this process."""
    return CliRunner().invoke(app, ["submit", *arguments], input=stdin)


def outcomes() -> list[tuple[str, str]]:
    """Document name and outcome of each verdict that holds."""
    with wiring.open_store(load_settings(), read_only=True) as store:
        return sorted((row["documentName"], row["outcome"]) for row in reads.current_verdicts(store))


@pytest.mark.usefixtures("alone")
def test_a_folder_is_checked_here() -> None:
    """Without a broker the documents are checked in this process; the same again does no work and is the same run."""
    arguments = ("texts", "--context", "context.txt", "--method", "rules")
    first = submit(*arguments, "--json")
    found = json.loads(first.stdout)
    assert (0, {"run", "total"}, 3) == (first.exit_code, set(found), found["total"])
    expected = [("a.txt", "REFUTED"), ("c.txt", "SUPPORTED"), ("sub/b.md", "SUPPORTED")]
    assert expected == outcomes()
    with wiring.open_store(load_settings(), read_only=True) as store:
        before = stats(store)["nodes"]
    again = submit(*arguments)
    assert f"run {found['run'][:11]}: 3 documents, 0 of them new" in again.stdout
    assert "1 refuted" in again.stdout
    with wiring.open_store(load_settings(), read_only=True) as store:
        assert before == stats(store)["nodes"]


@pytest.mark.usefixtures("alone")
def test_the_exit_code_tells_what_was_found() -> None:
    """--fail-on makes refuted claims exit with 1, of `submit` and of `watch`; without it a complete run is 0."""
    arguments = ("--context", "context.txt", "--method", "rules", "--json")
    first = submit("texts/a.txt", *arguments, "--fail-on", "refuted")
    assert 1 == first.exit_code
    run = json.loads(first.stdout)["run"]
    codes = [
        CliRunner().invoke(app, ["watch", run, "--fail-on", name]).exit_code
        for name in ("refuted", "unsupported", "never")
    ]
    assert ([1, 1, 0], 0) == (codes, submit("texts/c.txt", *arguments, "--fail-on", "unsupported").exit_code)


@pytest.mark.usefixtures("alone")
def test_json_lines_on_standard_input() -> None:
    """Rows with contexts of their own are checked against those; a text with two contexts is two jobs."""
    rows = [{"name": "x", "text": "Ann was born in Oslo.", "context": f"Ann was born in {town}."} for town in ("Rome",)]
    done = submit("-", "--method", "rules", stdin="\n".join(map(json.dumps, rows)))
    assert (0, [("x", "REFUTED")]) == (done.exit_code, outcomes())


@pytest.mark.usefixtures("alone")
def test_a_run_has_several_contexts(folder: Path) -> None:
    """Files and folders of --context are one source for every text; forgetting one of them forgets the jobs too."""
    (folder / "context.txt").write_text("Ann was born in Oslo.", "utf-8")
    (folder / "more").mkdir()
    (folder / "more" / "life.md").write_text("Ann lives in Rome. She paints.", "utf-8")
    done = submit("texts", "--context", "context.txt", "--context", "more", "--method", "rules", "--json")
    assert 0 == done.exit_code
    assert [("a.txt", "REFUTED"), ("c.txt", "SUPPORTED"), ("sub/b.md", "SUPPORTED")] == outcomes()
    with wiring.open_store(load_settings()) as store:
        [life] = store.query("MATCH (d:Document {name: 'life.md'}) RETURN d.id", {}).rows
        assert 3 == forget(store, life[0])["jobs"]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["texts"], "a.txt: nothing to check against"),
        (["texts", "--retrofit", "--ask"], "a run does one thing: --retrofit or --ask"),
        (["--recheck", "texts"], "finds its texts itself"),
        (["texts", "--ask", "--explain"], "'explain' means nothing to ask"),
        (["texts", "--graph", "nowhere"], "no graph 'nowhere'"),
        (["texts", "--context", "none.txt"], "none.txt"),
        (["texts", "none.txt", "--context", "context.txt"], "none.txt: No such file"),
    ],
)
@pytest.mark.usefixtures("alone")
def test_what_cannot_be_done_leaves_nothing(arguments: list[str], says: str) -> None:
    """A mistake is one line, and no document was stored for it."""
    found = submit(*arguments)
    assert isinstance(found.exception, InputError)
    assert says in str(found.exception)
    with wiring.open_store(load_settings()) as store:
        assert "Document" not in stats(store)["nodes"]


@pytest.mark.usefixtures("alone")
def test_nothing_stale_is_nothing_to_do() -> None:
    """`submit --recheck` where nothing is stale is no run and no error."""
    found = submit("--recheck", "--json")
    assert (0, {"run": None, "total": 0}) == (found.exit_code, json.loads(found.stdout))


@pytest.mark.usefixtures("alone")
def test_a_run_beyond_its_budget_is_parked() -> None:
    """A run that has spent its budget stops with exit code 1 and says why; the same without one goes on."""
    arguments = ("texts", "--context", "context.txt", "--method", "rules")
    assert 1 == submit(*arguments, "--max-seconds", "0.000001").exit_code
    [run] = json.loads(CliRunner().invoke(app, ["runs", "--json"]).stdout)
    assert ("parked", True, True) == (run["status"], "budget" in run["reason"], run["done"] < 3)
    assert (0, 3) == (submit(*arguments).exit_code, len(outcomes()))


def test_interrupted_and_given_again(alone: Path) -> None:
    """Ctrl-C says in one line that the same command goes on, and it does: each document has one verdict a claim."""
    rows = [{"text": f"Ann was born in Paris in {1900 + n}.", "context": CONTEXT} for n in range(10)]
    (alone / "rows.jsonl").write_text("\n".join(map(json.dumps, rows)), "utf-8")
    arguments = ["submit", "--jsonl", "rows.jsonl", "--method", "rules", "--json"]
    command = [sys.executable, "-c", "from claimgraph.cli import main; main()", *arguments]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        first = "".join(process.stdout.readline() for _ in range(4))
        process.send_signal(signal.SIGINT)
        assert "" == process.stdout.read()
        said = process.stderr.read()
    stopped = "claimgraph: stopped; what is done is kept, and the same command goes on"
    assert (130, stopped) == (process.returncode, said.splitlines()[-1])
    again = CliRunner().invoke(app, arguments)
    assert (0, json.loads(first)) == (again.exit_code, json.loads(again.stdout))
    one = json.loads(CliRunner().invoke(app, ["runs", "--json"]).stdout)[0]
    assert ("complete", 10, 10) == (one["status"], one["total"], one["done"])


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_ctrl_c_in_a_destructor_is_heeded() -> None:
    """Python drops an exception that a destructor raises; the next task looks, and stops all the same."""

    class Interrupted:
        def __del__(self) -> None:
            signal.raise_signal(signal.SIGINT)

    before = signal.getsignal(signal.SIGINT)
    with runs.heeded() as look:
        look()
        Interrupted()
        with pytest.raises(KeyboardInterrupt):
            look()
    assert signal.getsignal(signal.SIGINT) is before


def test_with_a_broker_it_is_queued(
    neo4j_store: BoltStore,
    folder: Path,  # noqa: ARG001
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """With Neo4j and a broker it returns at once, from the command line and the API alike: the run is queued, also
    where the broker is away, which is said in one line."""
    url = broker_url()
    arguments = ("texts", "--context", "context.txt", "--json")
    with Connection(url, transport_options=broker.options(url)) as connection:
        before = broker.depth(connection, CPU)
        first = submit(*arguments)
        found = json.loads(first.stdout)
        assert (0, f"queued; claimgraph watch {found['run'][:11]} follows it\n") == (first.exit_code, first.stderr)
        assert (3, 3) == (found["total"], broker.depth(connection, CPU) - before)
        rows = [{"name": name, "text": text, "context": CONTEXT} for name, text in TEXTS.items()]
        with TestClient(make_app(load_settings()), base_url="http://127.0.0.1") as client:
            assert found == client.post("/api/runs", json={"documents": rows}).json()
            paused = client.post(f"/api/runs/{found['run']}/pause").json()
            assert ("parked", "paused by hand") == (paused["status"], paused["reason"])
            body = {"max_tokens": 1000}
            resumed = client.post(f"/api/runs/{found['run']}/resume", json=body).json()
            assert ("queued", 1000) == (resumed["status"], resumed["budget"]["tokens"])
            refused = client.post("/api/runs", json={"documents": [*rows, {"text": "Alone."}]})
        assert (422, True) == (refused.status_code, "document 4: nothing to check against" in refused.json()["detail"])
        connection.default_channel.queue_purge(broker.wire(CPU))
    monkeypatch.setenv("CELERY_BROKER_URL", "redis://127.0.0.1:1")
    away = submit(*arguments)
    said = "nothing answers at redis://127.0.0.1:1: 3 tasks wait until workers find them\n"
    assert (0, found, said) == (away.exit_code, json.loads(away.stdout), away.stderr)
    assert BatchStatus.QUEUED == Board(neo4j_store).progress(found["run"]).status
