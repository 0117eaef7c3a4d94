"""Settings: one table, read from environment, .env and claimgraph.toml in that order."""

from __future__ import annotations

from pathlib import Path

import pytest
from command import Cli

from claimgraph.kgstore.errors import InputError
from claimgraph.settings import keep, load_settings


def test_environment_wins_over_dotenv_over_toml(tmp_path: Path) -> None:
    """The environment is taken first, then .env, then claimgraph.toml, then the default."""
    (tmp_path / "claimgraph.toml").write_text('query_rows = 1\nquery_memory = 2\nneo4j_username = "toml"\n')
    (tmp_path / ".env").write_text("CLAIMGRAPH_QUERY_ROWS=3\nNEO4J_USERNAME=dotenv\n")
    settings = load_settings({"NEO4J_USERNAME": "env"}, tmp_path)
    assert ("env", 3, 2, 30.0) == (
        settings.neo4j_username,
        settings.query_rows,
        settings.query_memory,
        settings.query_seconds,
    )


def test_empty_value_is_unset(tmp_path: Path) -> None:
    """An empty environment variable means the default."""
    assert load_settings({"NEO4J_URI": ""}, tmp_path).neo4j_uri is None


@pytest.mark.parametrize(
    ("toml", "environ", "named"),
    [
        ("nonsense = 1", {}, "nonsense"),
        ("query_rows = 'many'", {}, "query_rows"),
        ("", {"CLAIMGRAPH_QUERY_ROWS": "many"}, "query_rows"),
        ("query_rows = ", {}, "claimgraph.toml"),
    ],
)
def test_bad_setting_is_one_line_that_names_it(tmp_path: Path, toml: str, environ: dict[str, str], named: str) -> None:
    """An unknown key, a wrong type or a broken file is an InputError naming the setting or the file."""
    (tmp_path / "claimgraph.toml").write_text(toml)
    with pytest.raises(InputError, match=named):
        load_settings(environ, tmp_path)


def test_secrets_are_not_shown() -> None:
    """A password or broker address never appears in the settings' text."""
    settings = load_settings({"NEO4J_PASSWORD": "hush", "CELERY_BROKER_URL": "redis://:hush@h"}, Path("/nonexistent"))
    assert "hush" not in repr(settings)


@pytest.mark.parametrize(("written", "offline"), [("1", True), ("yes", True), ("FALSE", False), ("off", False)])
def test_a_switch_is_a_word(tmp_path: Path, written: str, offline: bool) -> None:
    """Switches are on and off by the words people use, and by nothing else."""
    assert offline == load_settings({"CLAIMGRAPH_OFFLINE": written}, tmp_path).offline
    with pytest.raises(InputError, match="offline"):
        load_settings({"CLAIMGRAPH_OFFLINE": "perhaps"}, tmp_path)


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("TIMEOUT", "0"),
        ("TIMEOUT", "inf"),
        ("TIMEOUT", "nan"),
        ("MAX_CONCURRENCY", "0"),
        ("PRICE_IN", "-1"),
        ("PRICE_OUT", "-0.5"),
        ("BUDGET", "0"),
    ],
)
def test_a_value_out_of_range_is_one_line_that_names_it(tmp_path: Path, name: str, written: str) -> None:
    """The line says which setting, the least value, and what was given."""
    with pytest.raises(InputError, match=rf"llm_{name.lower()} must be at least [\d.]+, not '{written}'"):
        load_settings({f"CLAIMGRAPH_LLM_{name}": written}, tmp_path)


def test_a_kept_setting_is_there_the_next_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It stands in the user's file before what was there, and is not written twice."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    file = keep("contact", 'me "at" example.org')
    file.write_text(file.read_text() + "query_rows = 7\n")
    again = load_settings({}, tmp_path)
    assert ('me "at" example.org', 7) == (again.contact, again.query_rows)
    with pytest.raises(InputError, match="contact already"):
        keep("contact", "other")


@pytest.mark.parametrize(
    ("address", "secret"),
    [
        ("NEO4J_URI=bolt://evil.example", "NEO4J_PASSWORD"),
        ("CLAIMGRAPH_LLM_BASE_URL=http://evil.example/v1", "CLAIMGRAPH_LLM_API_KEY"),
        ("NEO4J_URI=bolt://evil.example", "NEO4J_QUERY_PASSWORD"),
    ],
)
@pytest.mark.parametrize("name", [".env", "claimgraph.toml"])
def test_a_folder_leads_no_secret_away(tmp_path: Path, address: str, secret: str, name: str) -> None:
    """A file of the working folder that names an address gets no password or key of the environment: one line says so.
    With the secret in the same folder, or the address in the environment, it is as before.
    """
    variable, _, value = address.partition("=")
    key = variable.lower().removeprefix("claimgraph_")
    (tmp_path / name).write_text(f"{address}\n" if name == ".env" else f'{key} = "{value}"\n')
    with pytest.raises(InputError, match=rf"{name} sets {variable}, but {secret} stands in the environment"):
        load_settings({secret: "hush"}, tmp_path)
    assert load_settings({secret: "hush", variable: "bolt://mine.example"}, tmp_path)
    assert getattr(load_settings({secret: "hush", "CLAIMGRAPH_NO_CONFIG": "1"}, tmp_path), key) is None
    (tmp_path / ".env").write_text(f"{address}\n{secret}=theirs\n")
    assert value == getattr(load_settings({}, tmp_path), key)


def test_a_users_own_file_is_a_place_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A key in the user's configuration folder goes to no address of the working folder."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    keep("llm_api_key", "hush")
    assert load_settings({"CLAIMGRAPH_LLM_BASE_URL": "http://mine.example/v1"}, tmp_path).llm_api_key == "hush"
    (tmp_path / "claimgraph.toml").write_text('llm_base_url = "http://evil.example/v1"\n')
    with pytest.raises(InputError, match=r"CLAIMGRAPH_LLM_API_KEY stands in .*config"):
        load_settings({}, tmp_path)
    (tmp_path / "config" / "claimgraph" / "claimgraph.toml").write_text(
        'llm_api_key = "hush"\nllm_base_url = "http://mine.example/v1"\n'
    )
    with pytest.raises(InputError, match="CLAIMGRAPH_LLM_API_KEY"):
        load_settings({}, tmp_path)


def test_where_data_goes_is_said_once(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that changes where data goes is named by the first command that reads it, and again when it changes."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("CLAIMGRAPH_NO_CONFIG", "")
    file = tmp_path / "claimgraph.toml"
    file.write_text('llm_base_url = "http://127.0.0.1:1/v1"\nquery_rows = 5\n')
    first, second = cli("stats"), cli("stats")
    assert f"{file} sets llm_base_url: data goes there" in first.stderr
    assert (0, "") == (second.returncode, second.stderr)
    file.write_text('llm_base_url = "http://127.0.0.1:2/v1"\n')
    assert "sets llm_base_url" in cli("stats").stderr
    file.write_text("nonsense = 1\n")
    assert (2, 0) == (cli("stats").returncode, cli("--no-config", "stats").returncode)
