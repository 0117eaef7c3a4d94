"""Which Java runs which Neo4j.

The published server has no start class, so Neo4jServer.java beside this file is run from its source; that needs the
compiler module, which Debian's headless runtime has.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path


def find(oldest: int, newest: int) -> Path | None:
    """The `java` with the lowest major version from `oldest` to `newest`, ties by path; None if there is none."""
    versions = {java: _major(java) for java in _candidates()}
    fitting = sorted((major, str(java)) for java, major in versions.items() if oldest <= major <= newest)
    return Path(fitting[0][1]) if fitting else None


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
