"""Settings: one table, read from environment, .env and claimgraph.toml in that order."""

from __future__ import annotations

from pathlib import Path

import pytest

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
