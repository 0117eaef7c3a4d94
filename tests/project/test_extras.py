"""A plain install does its work without any extra, and says in one line what lacks one."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner

from claimgraph.cli.app import app
from claimgraph.detect.kernel.wl import LabelledGraph
from claimgraph.detect.kernel.wl_grakel import similarity
from claimgraph.detect.models.entailment_torch import load
from claimgraph.evaluation.correction import evaluate
from claimgraph.health import State, examine
from claimgraph.kgstore.errors import ClaimgraphError, MissingExtra
from claimgraph.kgstore.extras import EXTRAS, require
from claimgraph.kgstore.net.sparql import _send
from claimgraph.settings import Settings
from claimgraph.workers.messaging.app import make_app

ROOT = Path(__file__).parents[2]
CALLS: dict[str, Callable[[], object]] = {
    "eval": lambda: evaluate([], extractor=None, detector=None, judge=None, corrector=None),  # type: ignore[arg-type]
    "sparql": lambda: _send("http://127.0.0.1:1/", "agent", "ASK {}", 1),
    "torch": lambda: load("owner/name"),
    "grakel": lambda: similarity(LabelledGraph((), ()), LabelledGraph((), ()), 1),
    "py2neo": lambda: require("py2neo"),
}
COMMANDS = {
    "serve": "web",
    "mcp": "mcp",
    "worker": "workers",
    "worker --ping": "workers",
    "eval calibrate {labelled} --output made.json": "eval",
    "eval detection {labelled} --plot made.svg": "eval",
    "eval robustness {labelled} --graph world --plot made.svg": "eval",
}


@pytest.fixture
def bare(monkeypatch: pytest.MonkeyPatch) -> None:
    """No module of any extra can be imported."""
    for module in {module for extra in EXTRAS.values() for module in extra.modules}:
        monkeypatch.setitem(sys.modules, module, None)


def test_the_extras_are_those_of_the_distribution() -> None:
    """Each extra of pyproject.toml has a use; `all` has all of them, and `dev` all but torch."""
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    assert {"all", "dev", "nightly", *EXTRAS} == set(extras)
    assert [f"claimgraph[{','.join(EXTRAS)}]"] == extras["all"]
    assert f"claimgraph[{','.join(name for name in EXTRAS if name != 'torch')}]" in extras["dev"]


@pytest.mark.usefixtures("bare")
@pytest.mark.parametrize("name", CALLS)
def test_what_lacks_its_extra_says_how_to_get_it(name: str) -> None:
    """The error is one line with the command that installs the extra, and no fault of the input."""
    with pytest.raises(MissingExtra, match=re.escape(f"pip install 'claimgraph[{name}]'")) as caught:
        CALLS[name]()
    assert (1, 3) == (len(str(caught.value).splitlines()), caught.value.exit_code)


@pytest.mark.usefixtures("bare")
@pytest.mark.parametrize("line", COMMANDS)
def test_commands_say_at_once_which_extra_they_need(line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Before any work is done, and before a file is read."""
    monkeypatch.chdir(tmp_path)
    labelled = tmp_path / "labelled.jsonl"
    labelled.write_text(json.dumps({"context": "Oslo is in Norway.", "output": "Oslo is in Peru.", "label": 1}))
    result = CliRunner().invoke(app, line.format(labelled=labelled).split())
    assert isinstance(result.exception, MissingExtra)
    assert COMMANDS[line] == result.exception.extra


@pytest.mark.usefixtures("bare")
def test_workers_are_asked_for_with_a_broker_only(tmp_path: Path) -> None:
    """The doctor tells how to get each extra, and calls none a failure unless the settings want it."""
    found = {health.part: health for health in examine(Settings(store=tmp_path / "store", cache=tmp_path / "cache"))}
    assert {State.ABSENT} == {found[f"extra {name}"].state for name in EXTRAS}
    assert [] == [health for health in found.values() if health.state is State.FAILED]
    broken = Settings(store=tmp_path / "store", neo4j_uri="bolt://127.0.0.1:1", broker_url="redis://127.0.0.1:1")
    with pytest.raises(MissingExtra, match="workers"):
        make_app(broken)


_PLAIN = """
import sys
from pathlib import Path
from claimgraph.kgstore.extras import EXTRAS
hidden = {module for extra in EXTRAS.values() for module in extra.modules}
sys.modules |= dict.fromkeys(hidden | {"scipy", "networkx", "rdflib", "onnx", "safetensors"})
from typer.testing import CliRunner
from claimgraph.cli.app import app
run = lambda *line: CliRunner().invoke(app, line, catch_exceptions=False)
Path("text").write_text("Marie Curie was born in Paris. She discovered polonium.")
Path("source").write_text("Marie Curie was born in Warsaw. She discovered polonium and radium.")
Path("drafts").mkdir()
Path("drafts/a.txt").write_text("Marie Curie was born in Rome.")
Path("world.tsv").write_text("Marie Curie\\tplace of birth\\tWarsaw\\n")
for line in (
    ("check", "text", "--context", "source"), ("correct", "text", "--context", "source"),
    ("check", "text", "--context", "source", "--method", "kea"),
    ("check", "text", "--context", "source", "--method", "factalign"),
    ("ingest", "world.tsv", "--graph", "world"), ("check", "text", "--graph", "world"),
    ("ask", "Where was Marie Curie born?", "--graph", "world"), ("verdicts",), ("stats",), ("doctor",),
    ("cypher", "MATCH (c:Claim) RETURN c.text"), ("submit", "drafts", "--context", "source"), ("runs",),
):
    print(run(*line).exit_code, *line)
"""


def test_a_plain_install_checks_asks_and_queries(tmp_path: Path) -> None:
    """With every module of every extra hidden from a process, the commands of one person work in it."""
    environment = {"CLAIMGRAPH_STORE": str(tmp_path / "store"), "CLAIMGRAPH_CACHE": str(tmp_path / "cache")}
    done = subprocess.run(
        [sys.executable, "-c", _PLAIN], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    assert "" == done.stderr
    lines = done.stdout.splitlines()
    assert 13 == len(lines)
    assert [] == [line for line in lines if line[0] not in ("01" if " check " in line or " correct " in line else "0")]


def test_extras_that_are_there_are_no_error() -> None:
    """What the extra for development brings can be required."""
    for name in EXTRAS:
        try:
            require(name)
        except ClaimgraphError:
            assert "torch" == name
