"""Who may ask the server what: hosts, origins, sizes, keys, scopes and rates."""

from __future__ import annotations

import json
import stat
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import httpx
import pytest
from command import run
from web_server import serving

from claimgraph.kgstore.errors import InputError, NotFound
from claimgraph.settings import Settings, load_settings
from claimgraph.web.access import Rate, is_loopback
from claimgraph.web.keys import Keys, Scope

CHECK = {"text": "Ann was born in Rome.", "context": "Ann was born in Rome."}


@pytest.fixture(scope="module")
def settings(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    """A store and a file of keys of their own; small texts only."""
    folder = tmp_path_factory.mktemp("access")
    made = load_settings({}, Path("/nonexistent"))
    return replace(made, store=folder / "store", cache=folder / "cache", keys=folder / "keys.json", max_text=0.01)


@pytest.fixture(scope="module")
def client(settings: Settings) -> Iterator[httpx.Client]:
    """A client of a server whose keys the tests change while it runs."""
    with serving(settings) as http:
        yield http


def test_keys_are_kept_as_hashes(tmp_path: Path) -> None:
    """A key is shown once; the file, which only its owner may read, has its hash; a revoked key is unknown."""
    keys = Keys(tmp_path / "deep" / "keys.json")
    assert [] == keys.all()
    made = keys.add("ann", Scope.READ)
    assert made not in (tmp_path / "deep" / "keys.json").read_text()
    assert 0o600 == stat.S_IMODE((tmp_path / "deep" / "keys.json").stat().st_mode)
    found = Keys(tmp_path / "deep" / "keys.json").find(made)
    assert found
    assert ("ann", Scope.READ) == (found.name, found.scope)
    with pytest.raises(InputError):
        keys.add("ann", Scope.WRITE)
    keys.revoke("ann")
    assert keys.find(made) is None
    with pytest.raises(NotFound):
        keys.revoke("ann")


def test_a_damaged_file_lets_nobody_in(tmp_path: Path) -> None:
    """It is an error, not an empty list of keys: without keys all of this machine may ask."""
    path = tmp_path / "keys.json"
    path.write_text('[{"name": "ann"}]')
    with pytest.raises(InputError, match="not a file of keys"):
        Keys(path).all()


@pytest.mark.parametrize(
    ("host", "here"),
    [
        ("127.0.0.1", True),
        ("localhost", True),
        ("[::1]", True),
        ("0.0.0.0", False),
        ("a.example", False),
        ("", False),
    ],
)
def test_loopback(host: str, here: bool) -> None:
    """Only names and addresses of the loopback count; an address that means all interfaces does not."""
    assert here == is_loopback(host)


def test_a_rate_fills_steadily() -> None:
    """A minute's worth may come at once, then one for each part of the minute; each client has its own."""
    now = [0.0]
    rate = Rate(2, clock=lambda: now[0])
    assert [0.0, 0.0, 30.0] == [rate.wait("ann") for _ in range(3)]
    assert 0.0 == rate.wait("ben")
    now[0] = 31.0
    assert 0.0 == rate.wait("ann")
    assert rate.wait("ann") > 28


def test_without_keys_only_this_machine_is_answered(client: httpx.Client) -> None:
    """A request that names another host, as a page that rebinds its name would, is refused."""
    assert 200 == client.get("/api/documents").status_code
    answer = client.get("/api/documents", headers={"Host": "evil.example"})
    assert (421, "application/problem+json") == (answer.status_code, answer.headers["content-type"])


@pytest.mark.parametrize(
    "headers", [{"Origin": "https://evil.example"}, {"Origin": "null"}, {"Sec-Fetch-Site": "cross-site"}]
)
def test_other_pages_change_nothing(client: httpx.Client, headers: dict[str, str]) -> None:
    """What changes something is refused where another origin's page asks for it; this one's own pages may."""
    assert 403 == client.post("/api/check", json=CHECK, headers=headers).status_code
    assert (
        200 == client.post("/api/check", json=CHECK, headers={"Origin": str(client.base_url).rstrip("/")}).status_code
    )
    assert 200 == client.get("/api/documents", headers=headers).status_code


def test_large_requests_are_refused(client: httpx.Client) -> None:
    """Whether they say how large they are or not."""
    body = json.dumps({"text": "a" * 40_000, "context": "b"}).encode()
    assert 413 == client.post("/api/check", content=body).status_code
    assert 413 == client.post("/api/check", content=iter([body])).status_code
    answer = client.post("/api/check", json={"text": "a " * 6_000, "context": "b"})
    assert (422, True) == (answer.status_code, "larger than" in answer.json()["detail"])


def test_a_key_opens_what_its_scope_allows(settings: Settings, client: httpx.Client) -> None:
    """With a key on file a request without one is refused; one that reads may ask in Cypher but change nothing."""
    keys = Keys(settings.keys_file)
    reads, writes = keys.add("reader", Scope.READ), keys.add("writer", Scope.WRITE)
    query = {"query": "MATCH (c:Claim) RETURN count(c) AS n"}
    try:
        assert 401 == client.get("/api/documents").status_code
        assert 401 == client.get("/api/documents", headers={"Authorization": "Bearer cg_wrong"}).status_code
        assert (303, "/signin") == (
            (page := client.get("/", headers={"Accept": "text/html"})).status_code,
            page.headers["location"],
        )
        assert 200 == client.get("/healthz").status_code
        assert 200 == client.get("/api/documents", headers={"X-API-Key": reads, "Host": "facts.example"}).status_code
        assert 200 == client.post("/api/cypher", json=query, headers={"Authorization": f"Bearer {reads}"}).status_code
        assert 403 == client.post("/api/check", json=CHECK, headers={"Authorization": f"Bearer {reads}"}).status_code
        assert 200 == client.post("/api/check", json=CHECK, headers={"Authorization": f"Bearer {writes}"}).status_code
    finally:
        keys.revoke("reader")
        keys.revoke("writer")
    assert 200 == client.get("/api/documents").status_code


def test_a_browser_signs_in(settings: Settings, client: httpx.Client) -> None:
    """A key given once is kept in a cookie that neither scripts nor other sites can use."""
    keys = Keys(settings.keys_file)
    made = keys.add("browser", Scope.WRITE)
    try:
        assert 401 == client.post("/signin", data={"key": "cg_wrong"}).status_code
        answer = client.post("/signin", data={"key": made})
        assert 303 == answer.status_code
        assert {"httponly", "samesite=strict"} <= {
            part.strip().lower() for part in answer.headers["set-cookie"].split(";")
        }
        assert 200 == client.get("/documents").status_code
        client.post("/signout")
        assert 303 == client.get("/documents", headers={"Accept": "text/html"}).status_code
    finally:
        client.cookies.clear()
        keys.revoke("browser")


def test_too_many_requests_wait(tmp_path: Path) -> None:
    """Beyond the rate a client is told how long to wait."""
    made = load_settings({}, Path("/nonexistent"))
    limited = replace(made, store=tmp_path / "s", cache=tmp_path / "c", keys=tmp_path / "k", rate_limit=2)
    with serving(limited) as http:
        answers = [http.get("/healthz") for _ in range(3)]
    assert [200, 200, 429] == [answer.status_code for answer in answers]
    assert int(answers[-1].headers["retry-after"]) > 0


def test_the_command_serves_others_only_with_a_key(tmp_path: Path) -> None:
    """`serve --host 0.0.0.0` without a key ends with one line; `keys` makes, lists and revokes them."""
    environ = {"CLAIMGRAPH_KEYS": str(tmp_path / "keys.json"), "CLAIMGRAPH_STORE": str(tmp_path / "store")}
    refused = run("serve", "--host", "0.0.0.0", env=environ)
    assert (2, True) == (refused.returncode, "there is no key" in refused.stderr)
    made = run("keys", "add", "ann", env=environ)
    assert made.stdout.startswith("cg_")
    assert [("ann", "read")] == [
        (row["name"], row["scope"]) for row in json.loads(run("keys", "list", "--json", env=environ).stdout)
    ]
    assert 0 == run("keys", "revoke", "ann", env=environ).returncode
    assert [] == json.loads(run("keys", "list", "--json", env=environ).stdout)
