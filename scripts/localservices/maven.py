"""Neo4j's jars from Maven, downloaded once for all checkouts.

Java keeps certificates of its own. On machines whose administrator added a certificate authority to the system's
bundle only, curl and pip work and Maven does not: it is then tried again with the system's bundle.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

from localservices.messages import Failed, say
from localservices.state import cache_folder, locked

HERE = Path(__file__).parent


def jars(version: str, java: Path) -> Path:
    """Folder with the jars of the Neo4j server of this version (128 MB). Raises Failed."""
    folder = cache_folder() / "neo4j" / version
    with locked(folder.with_name(f"{version}.lock")):
        if not folder.exists():
            say(f"fetching Neo4j {version} (128 MB)")
            part = folder.with_name(f"{version}.part")
            shutil.rmtree(part, ignore_errors=True)
            _download(version, java, part)
            part.rename(folder)
    return folder


def _download(version: str, java: Path, folder: Path) -> None:
    command = ["mvn", "-q", "-B", "-f", str(HERE / "pom.xml"), "dependency:copy-dependencies"]
    settings = [f"-Dneo4j.version={version}", f"-DoutputDirectory={folder}", "-DincludeScope=runtime"]
    done = _run([*command, *settings])
    bundle = Path(os.environ.get("SSL_CERT_FILE") or "/etc/ssl/certs/ca-certificates.crt")
    if done.returncode != 0 and bundle.exists():
        store = folder.with_name("trust.p12")
        _run([str(java), str(HERE / "TrustStore.java"), str(bundle), str(store)])
        trust = f"-Djavax.net.ssl.trustStore={store} -Djavax.net.ssl.trustStorePassword=changeit"
        done = _run([*command, *settings, "-U"], MAVEN_OPTS=f"{os.environ.get('MAVEN_OPTS', '')} {trust}")
    if done.returncode != 0:
        why = next((line for line in done.stdout.splitlines() if "ERROR" in line), "no reason given")
        raise Failed(f"Maven could not fetch Neo4j {version}: {why}")


def _run(command: list[str], **env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, env=os.environ | env, stdin=subprocess.DEVNULL, capture_output=True, text=True)
