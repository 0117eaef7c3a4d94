"""docker-compose.yml without Docker: its schema, and that every variable, path and command in it is there."""

from __future__ import annotations

import fnmatch
import json
import re
from dataclasses import fields
from importlib.resources import files
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml
from known_commands import known

from claimgraph.kgstore.extras import EXTRAS
from claimgraph.settings import Settings

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docker-compose.yml").read_text()
SERVICES: dict[str, Any] = yaml.safe_load(TEXT)["services"]
GIVEN = (ROOT / ".env.example").read_text()


def test_the_file_is_a_compose_file() -> None:
    """It conforms to the schema of the Compose Specification."""
    schema = json.loads((files("check_jsonschema") / "builtin_schemas/vendor/compose-spec.json").read_text())
    jsonschema.validate(yaml.safe_load(TEXT), schema)


def test_every_variable_is_explained_or_has_a_default() -> None:
    """What must be set stands in .env.example to be filled in, what may be set as a comment or with a default."""
    used = dict(re.findall(r"(?<!\$)\$\{(\w+)(:?[-?]?)", TEXT))
    required = {name for name, sign in used.items() if sign.endswith("?")}
    assert {"NEO4J_PASSWORD", "REDIS_PASSWORD", "CLAIMGRAPH_WEB_KEY"} == required
    assert required == set(re.findall(r"^(\w+)=$", GIVEN, re.MULTILINE))
    empty = set(re.findall(r"(?<!\$)\$\{(\w+):?-\}", TEXT))
    assert empty <= set(re.findall(r"^(?:# )?(\w+)=", GIVEN, re.MULTILINE))
    assert set(re.findall(r"^(?:# )?(\w+)=", GIVEN, re.MULTILINE)) <= set(used)


def test_what_is_set_for_claimgraph_is_a_setting() -> None:
    """Each variable of our own services is one that claimgraph reads."""
    settings = {field.metadata["env"] for field in fields(Settings)} | {"CLAIMGRAPH_WEB_KEY"}
    ours = [one for one in SERVICES.values() if one["image"] == "claimgraph:local"]
    assert 3 == len(ours)
    assert all(set(one["environment"]) <= settings for one in ours)


@pytest.mark.parametrize("name", SERVICES)
def test_what_a_service_names_is_there(name: str) -> None:
    """Volumes and services are declared, memory is limited, ports are loopback's, and it has a check of its health."""
    one = SERVICES[name]
    assert set(one.get("depends_on", ())) <= SERVICES.keys()
    assert {volume.partition(":")[0] for volume in one.get("volumes", ())} <= yaml.safe_load(TEXT)["volumes"].keys()
    assert all(port.startswith("127.0.0.1:") for port in one["ports"])
    assert {"mem_limit", "restart", "healthcheck"} <= one.keys()


def test_every_command_of_the_image_exists() -> None:
    """Commands and their options in the Compose file are those of this command line."""
    lists = [" ".join(one["command"][1:]) for one in SERVICES.values() if one.get("command", [""])[0] == "claimgraph"]
    lines = [line for one in SERVICES.values() for line in "\n".join(map(str, one.get("command", ()))).splitlines()]
    said = [
        *lists,
        *(match for line in lines for match in re.findall(r"claimgraph ((?:keys|cache|serve)[^|]*)$", line)),
    ]
    assert 5 == len(said)
    assert [] == [one for one in said if not known(one)]


def test_the_image_copies_what_git_has_and_docker_may_see() -> None:
    """What the Dockerfile copies is there and not ignored; it installs what the page and the workers need."""
    dockerfile = (ROOT / "Dockerfile").read_text()
    copied = [name for line in re.findall(r"^COPY (.+) \S+$", dockerfile, re.MULTILINE) for name in line.split()]
    allowed = [line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")]
    assert copied
    assert [] == [name for name in copied if not (ROOT / name).exists()]
    assert [] == [name for name in copied if not any(fnmatch.fnmatch(name, one) for one in allowed)]
    installed = set(re.findall(r"lock\.py ([a-z ]+) >", dockerfile)[0].split())
    assert {"documents", "export", "web", "workers"} <= installed <= EXTRAS.keys()
