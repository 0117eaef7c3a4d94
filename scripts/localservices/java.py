"""Which Java runs which Neo4j, and Neo4j's jars from Maven.

The published server has no start class, so Neo4jServer.java beside this file is run from its source; that needs the
compiler module, which Debian's headless runtime has.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

from localservices.errors import Failed
from localservices.state import cache_folder, locked

HERE = Path(__file__).parent


def find(oldest: int, newest: int) -> Path | None:
    """The `java` with the lowest major version from `oldest` to `newest`, ties by path; None if there is none."""
    versions = {java: _major(java) for java in _candidates()}
    fitting = sorted((major, str(java)) for java, major in versions.items() if oldest <= major <= newest)
    return Path(fitting[0][1]) if fitting else None


def jars(version: str) -> Path:
    """Folder with the server's jars, downloaded once for all checkouts (128 MB). Raises Failed."""
    folder = cache_folder() / "neo4j" / version
    with locked(folder.with_name(f"{version}.lock")):
        if not folder.exists():
            _download(version, folder)
    return folder


def _download(version: str, folder: Path) -> None:
    part = folder.with_name(f"{version}.part")
    shutil.rmtree(part, ignore_errors=True)
    goal = ["dependency:copy-dependencies", "-DincludeScope=runtime"]
    settings = [f"-Dneo4j.version={version}", f"-DoutputDirectory={part}"]
    command = ["mvn", "-q", "-B", "-f", str(HERE / "pom.xml"), *goal, *settings]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if done.returncode != 0:
        why = next((line for line in done.stdout.splitlines() if "ERROR" in line), "no reason given")
        raise Failed(f"Maven could not fetch Neo4j {version}: {why}")
    part.rename(folder)


def _candidates() -> Iterator[Path]:
    if home := os.environ.get("JAVA_HOME"):
        yield Path(home) / "bin" / "java"
    if found := shutil.which("java"):
        yield Path(found).resolve()
    yield from sorted(Path("/usr/lib/jvm").glob("*/bin/java"))


def _major(java: Path) -> int:
    """Major version from the `release` file of the Java home, 0 when that says nothing."""
    try:
        lines = (java.parent.parent / "release").read_text().splitlines()
    except OSError:
        return 0
    version = next((line.partition("=")[2].strip('"') for line in lines if line.startswith("JAVA_VERSION=")), "0")
    digits = version.removeprefix("1.").partition(".")[0]
    return int(digits) if digits.isdigit() else 0
