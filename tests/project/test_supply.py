"""What is run is what was meant: nothing unpickled, nothing reported, every package pinned by its sum."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
CODE = [path for room in ("claimgraph", "cypher", "detect", "kgstore", "retrieval", "workers", "training", "scripts")
        for path in (ROOT / room).rglob("*.py")]  # fmt: skip
_UNPICKLING = {"pickle", "cPickle", "dill", "cloudpickle", "joblib", "shelve", "marshal"}


def test_nothing_is_unpickled() -> None:
    """No module of the project imports a pickle, and no array or weights are loaded in a way that may run code."""
    found = [
        f"{path.relative_to(ROOT)}:{node.lineno}" for path in CODE for node in ast.walk(_tree(path)) if _runs(node)
    ]
    assert [] == found


def test_onnx_runtime_is_imported_in_one_place() -> None:
    """Where its telemetry is turned off."""
    importing = {path.name for path in CODE for node in ast.walk(_tree(path)) if "onnxruntime" in _imported(node)}
    assert {"onnx_runtime.py"} == importing


def test_a_model_that_is_read_reports_nothing(tmp_path: Path) -> None:
    """A process that reads a model leaves no record of the device or of itself for others."""
    code = (
        "import claimgraph.wiring as w; from claimgraph.settings import Settings; from pathlib import Path; "
        f"w.embedder(Settings(cache=Path({str(tmp_path / 'cache')!r}))).embed(['claim'])"
    )
    places = {"XDG_CACHE_HOME": str(tmp_path / "home"), "TMPDIR": str(tmp_path), "HOME": str(tmp_path)}
    environ = {key: value for key, value in os.environ.items() if key != "ORT_DISABLE_TELEMETRY"} | places
    subprocess.run([sys.executable, "-c", code], env=environ, check=True, timeout=120)
    left = {path.relative_to(tmp_path).parts[0] for path in tmp_path.rglob("*") if path.is_file()}
    assert {"cache"} == left


def test_the_bill_of_materials_names_every_dependency() -> None:
    """CycloneDX of what is installed: claimgraph, and each package once, with version and address."""
    done = subprocess.run([sys.executable, "scripts/sbom.py"], cwd=ROOT, capture_output=True, text=True, check=True)
    bill = json.loads(done.stdout)
    assert ("CycloneDX", "claimgraph") == (bill["bomFormat"], bill["metadata"]["component"]["name"])
    names = [one["name"] for one in bill["components"]]
    assert sorted(set(names)) == names
    assert {"neo4j", "kglite", "onnxruntime", "spacy"} <= set(names)
    assert all(one["purl"] == f"pkg:pypi/{one['name']}@{one['version']}" for one in bill["components"])


def _tree(path: Path) -> ast.AST:
    return ast.parse(path.read_text(encoding="utf-8"))


def _imported(node: ast.AST) -> set[str]:
    """The packages that a node imports."""
    if isinstance(node, ast.Import):
        return {alias.name.partition(".")[0] for alias in node.names}
    return {(node.module or "").partition(".")[0]} if isinstance(node, ast.ImportFrom) and node.level == 0 else set()


def _runs(node: ast.AST) -> bool:
    """Whether a node imports a pickle, or loads with one."""
    if _imported(node) & _UNPICKLING:
        return True
    if not isinstance(node, ast.Call):
        return False
    said = {word.arg: getattr(word.value, "value", None) for word in node.keywords}
    loads = ast.unparse(node.func) == "torch.load" and said.get("weights_only") is not True
    return loads or said.get("allow_pickle", False) is not False
