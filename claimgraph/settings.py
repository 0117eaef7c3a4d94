"""Hold all settings in one frozen object, read in one place.

One table (the fields of Settings) holds name, default, unit and help; the environment variables, the keys of
claimgraph.toml, `claimgraph doctor` and docs/settings.md come from it. A value is taken from the first of: the
environment, `.env` in the working folder, `claimgraph.toml` in the working folder, the same file in the user's
configuration folder, the default. A settings library was rejected: it costs a tenth of a second at every start.

The working folder may be another's (a checkout, an unpacked archive), so its two files lead no secret away: a password
or key that stands in the environment or in the user's own file is not sent to an address that stands in the folder.
"""

from __future__ import annotations

import json
import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from math import inf
from pathlib import Path
from typing import Any

from claimgraph.kgstore.errors import InputError

SHIPPED_ENTAILMENT, BASE_ENTAILMENT, SMALL_ENTAILMENT, NO_ENTAILMENT = "shipped", "base", "small", "none"
"""Values of `entailment` that name no folder and no hub's model."""
SHIPPED_COREFERENCE, NO_COREFERENCE = "shipped", "none"
"""Values of `coreference` that name no folder."""
SHIPPED_EMBEDDER = "shipped"


def _setting(
    kind: type,
    default: Any,
    env: str,
    help: str,
    unit: str | None = None,
    *,
    secret: bool = False,
    least: float | None = None,
    leads: bool = False,
) -> Any:
    table = {"kind": kind, "env": env, "help": help, "unit": unit, "secret": secret, "least": least, "leads": leads}
    return field(default=default, repr=not secret, metadata=table)


def _user_folder(kind: str) -> Path:
    import platformdirs

    return Path(getattr(platformdirs, f"user_{kind}_dir")("claimgraph", appauthor=False))


@dataclass(frozen=True, slots=True)
class Settings:
    """Addresses of services and limits of a run. Immutable; `dataclasses.replace` makes a changed copy."""

    neo4j_uri: str | None = _setting(
        str, None, "NEO4J_URI", "Neo4j's address (bolt://, +s for TLS); unset: embedded", leads=True
    )
    neo4j_username: str = _setting(str, "neo4j", "NEO4J_USERNAME", "Neo4j user")
    neo4j_password: str | None = _setting(str, None, "NEO4J_PASSWORD", "Neo4j password", secret=True)
    neo4j_query_username: str | None = _setting(
        str, None, "NEO4J_QUERY_USERNAME", "Neo4j user of users' Cypher, who may only read; unset: the Neo4j user"
    )
    neo4j_query_password: str | None = _setting(str, None, "NEO4J_QUERY_PASSWORD", "password of that user", secret=True)
    neo4j_database: str = _setting(str, "neo4j", "NEO4J_DATABASE", "Neo4j database")
    neo4j_retry: float = _setting(float, 10.0, "CLAIMGRAPH_NEO4J_RETRY", "how long a write is retried", "seconds")
    store: Path | None = _setting(
        Path, None, "CLAIMGRAPH_STORE", "embedded store; unset: in the user data folder", leads=True
    )
    cache: Path | None = _setting(
        Path, None, "CLAIMGRAPH_CACHE", "cache folder; unset: in the user cache folder", leads=True
    )
    broker_url: str | None = _setting(
        str, None, "CELERY_BROKER_URL", "Redis or RabbitMQ for the workers", secret=True, leads=True
    )
    task_seconds: float = _setting(
        float,
        300.0,
        "CLAIMGRAPH_TASK_SECONDS",
        "how long a document may take, or 20,000 characters of a longer one",
        "seconds",
        least=0.1,
    )
    lease_seconds: float = _setting(
        float,
        60.0,
        "CLAIMGRAPH_LEASE_SECONDS",
        "after what silence a worker's task is another's; a lost message is sent again after half of it",
        "seconds",
        least=0.5,
    )
    extractor: str = _setting(
        str,
        "rules",
        "CLAIMGRAPH_EXTRACTOR",
        "claim extractor: rules, rules-named, corenlp, factalign or factalign-unfiltered; with an LLM also llm, "
        "llm-grapheval, llm-kea or llm-kgr",
    )
    corenlp_url: str = _setting(
        str, "http://127.0.0.1:9000", "CLAIMGRAPH_CORENLP_URL", "Stanford CoreNLP server", leads=True
    )
    entailment: str = _setting(
        str,
        SHIPPED_ENTAILMENT,
        "CLAIMGRAPH_ENTAILMENT",
        "entailment model: shipped (base where claimgraph-entailment-base is installed, else small), base, small, "
        "none, folder of a BERT or MPNet classifier or ONNX model, or (with torch) hub id",
        leads=True,
    )
    embedder: str = _setting(
        str,
        SHIPPED_EMBEDDER,
        "CLAIMGRAPH_EMBEDDER",
        "embedding model: shipped, folder of an ONNX model, address of an embeddings server with its model "
        "(http://127.0.0.1:8080/v1#name), or (with torch) folder or name of a sentence-transformers model",
        leads=True,
    )
    coreference: str = _setting(
        str,
        SHIPPED_COREFERENCE,
        "CLAIMGRAPH_COREFERENCE",
        "model that says whom pronouns mean: shipped, none (rules alone), or folder of a mention ranker",
        leads=True,
    )
    model_threads: int | None = _setting(
        int,
        None,
        "CLAIMGRAPH_MODEL_THREADS",
        "threads that models on the processor use; unset: all cores, shared by a worker's processes",
        least=1,
    )
    llm_base_url: str | None = _setting(
        str,
        None,
        "CLAIMGRAPH_LLM_BASE_URL",
        "OpenAI-compatible server, like http://127.0.0.1:11434/v1; unset: no LLM",
        leads=True,
    )
    llm_model: str | None = _setting(str, None, "CLAIMGRAPH_LLM_MODEL", "name of the language model there")
    llm_api_key: str | None = _setting(str, None, "CLAIMGRAPH_LLM_API_KEY", "key for that server", secret=True)
    llm_timeout: float = _setting(
        float, 60.0, "CLAIMGRAPH_LLM_TIMEOUT", "how long one attempt at an answer may take", "seconds", least=0.1
    )
    llm_max_concurrency: int = _setting(
        int, 4, "CLAIMGRAPH_LLM_MAX_CONCURRENCY", "how many answers are waited for at once", "requests", least=1
    )
    llm_price_in: float | None = _setting(
        float, None, "CLAIMGRAPH_LLM_PRICE_IN", "price of a million tokens in; unset: cost unknown", least=0
    )
    llm_price_out: float | None = _setting(
        float, None, "CLAIMGRAPH_LLM_PRICE_OUT", "price of a million tokens out; unset: cost unknown", least=0
    )
    llm_budget: int | None = _setting(
        int,
        None,
        "CLAIMGRAPH_LLM_BUDGET",
        "how many tokens a run may use, in and out; unset: no limit",
        "tokens",
        least=1,
    )
    contact: str | None = _setting(
        str, None, "CLAIMGRAPH_CONTACT", "e-mail or web address that public servers are told; needed to fetch from them"
    )
    offline: bool = _setting(bool, False, "CLAIMGRAPH_OFFLINE", "refuse to fetch anything from the network")
    fetch_private: bool = _setting(
        bool,
        False,
        "CLAIMGRAPH_FETCH_PRIVATE",
        "let --fetch-urls read addresses of this machine and its network, too",
        leads=True,
    )
    language: str = _setting(str, "en", "CLAIMGRAPH_LANGUAGE", "language of names and descriptions that are fetched")
    wikidata_url: str = _setting(
        str,
        "https://query.wikidata.org/sparql",
        "CLAIMGRAPH_WIKIDATA_URL",
        "SPARQL endpoint of Wikidata or a mirror",
        leads=True,
    )
    dbpedia_url: str = _setting(
        str,
        "https://dbpedia.org/sparql",
        "CLAIMGRAPH_DBPEDIA_URL",
        "SPARQL endpoint of DBpedia or a mirror",
        leads=True,
    )
    wikipedia_url: str = _setting(
        str,
        "https://{language}.wikipedia.org/w/api.php",
        "CLAIMGRAPH_WIKIPEDIA_URL",
        "MediaWiki API of the encyclopedia",
        leads=True,
    )
    request_interval: float = _setting(
        float, 1.0, "CLAIMGRAPH_REQUEST_INTERVAL", "pause between requests to a server, of all processes", "seconds"
    )
    keys: Path | None = _setting(
        Path,
        None,
        "CLAIMGRAPH_KEYS",
        "file of the server's API keys; unset: in the user configuration folder",
        leads=True,
    )
    rate_limit: int = _setting(
        int,
        600,
        "CLAIMGRAPH_RATE_LIMIT",
        "how many requests a key, or without keys an address, may send",
        "a minute",
        least=1,
    )
    kernel_backend: str = _setting(str, "own", "CLAIMGRAPH_KERNEL", "graph kernel of KEA: own or grakel")
    max_text: float = _setting(float, 10.0, "CLAIMGRAPH_MAX_TEXT", "largest text that is read", "MiB")
    query_seconds: float = _setting(float, 30.0, "CLAIMGRAPH_QUERY_SECONDS", "time limit of a user's Cypher", "seconds")
    query_rows: int = _setting(int, 10_000, "CLAIMGRAPH_QUERY_ROWS", "row limit of a user's Cypher", "rows")
    query_memory: int = _setting(int, 512, "CLAIMGRAPH_QUERY_MEMORY", "memory limit of a user's Cypher", "MiB")

    @property
    def entails(self) -> bool:
        """Whether there is an entailment model."""
        return self.entailment != NO_ENTAILMENT

    @property
    def store_folder(self) -> Path:
        """Folder of the embedded store."""
        return self.store or _user_folder("data") / "store"

    @property
    def keys_file(self) -> Path:
        """File of the server's API keys."""
        return self.keys or _user_folder("config") / "keys.json"

    @property
    def cache_folder(self) -> Path:
        """Folder of vectors, scores and models made from others."""
        return self.cache or _user_folder("cache")


_SENT_TO = {
    "neo4j_password": "neo4j_uri",
    "neo4j_query_password": "neo4j_uri",
    "llm_api_key": "llm_base_url",
}
"""Secrets to the settings that say where they are sent."""

NO_CONFIG = "CLAIMGRAPH_NO_CONFIG"
"""Variable that has the files of the working folder ignored."""

_BOOLEANS = {**dict.fromkeys(("1", "true", "yes", "on"), True), **dict.fromkeys(("0", "false", "no", "off"), False)}


_Given = tuple[Any, str]
"""A value as it was given, and where."""


def load_settings(environ: Mapping[str, str] | None = None, folder: Path | None = None) -> Settings:
    """Return settings from `environ` (default: the process's), and the files of `folder` (default: the working folder).

    Raises InputError, naming source and setting, for an unknown key, a value of the wrong type, or a file of the folder
    that would lead a secret of the user away.
    """
    environ = os.environ if environ is None else environ
    own = _from_toml(_user_folder("config") / "claimgraph.toml")
    given = folder_settings(environ, folder)
    outside = _named(environ, "the environment")
    found = own | given | outside
    _refuse_redirection(found, {source for _, source in given.values()})
    return Settings(**{key: _convert(key, value, source) for key, (value, source) in found.items()})


def folder_settings(environ: Mapping[str, str] | None = None, folder: Path | None = None) -> dict[str, _Given]:
    """Return what the files of the working folder set: name to value and file; nothing where they are to be ignored."""
    environ = os.environ if environ is None else environ
    folder = Path.cwd() if folder is None else folder
    if _BOOLEANS.get(environ.get(NO_CONFIG, "").lower(), False):
        return {}
    path = folder / ".env"
    return _from_toml(folder / "claimgraph.toml") | _named(_read_dotenv(path), str(path))


def leading(given: Mapping[str, _Given]) -> dict[str, _Given]:
    """Return those of the settings that say where data or keys go."""
    leads = {f.name for f in fields(Settings) if f.metadata["leads"]}
    return {name: value for name, value in given.items() if name in leads}


def _refuse_redirection(found: Mapping[str, _Given], files: set[str]) -> None:
    """Raise InputError where a secret of the user would go to an address that one of the folder's files names."""
    for secret, address in _SENT_TO.items():
        if secret not in found or address not in found or found[address][1] not in files or found[secret][1] in files:
            continue
        variables = {f.name: f.metadata["env"] for f in fields(Settings)}
        raise InputError(
            f"{found[address][1]} sets {variables[address]}, but {variables[secret]} stands in {found[secret][1]}; a "
            "secret goes only to an address that is set in the same place: set both there, or have the files of this "
            "folder ignored by claimgraph --no-config"
        )


def _from_toml(path: Path) -> dict[str, _Given]:
    return {key: (value, str(path)) for key, value in _read_toml(path).items()}


def _named(values: Mapping[str, str], source: str) -> dict[str, _Given]:
    """Return the settings among variables."""
    names = {f.metadata["env"]: f.name for f in fields(Settings)}
    return {names[key]: (value, source) for key, value in values.items() if key in names and value != ""}


def keep(name: str, value: str) -> Path:
    """Write a setting into the user's file, whatever else stands there, and return the file.

    Raises InputError where the file cannot be written or has the setting already.
    """
    path = _user_folder("config") / "claimgraph.toml"
    if name in _read_toml(path):
        raise InputError(f"{path} has a setting {name} already")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        before = path.read_text(encoding="utf-8") if path.is_file() else ""
        path.write_text(f"{name} = {json.dumps(value)}\n{before}", encoding="utf-8")
    except OSError as error:
        raise InputError(f"cannot write {path}: {(error.strerror or str(error)).lower()}") from error
    return path


def describe() -> list[dict[str, str]]:
    """Return the settings table: name, env, default, unit and help of every setting, in order."""
    return [
        {
            "name": f.name,
            "env": f.metadata["env"],
            "default": "" if f.default is None else str(f.default),
            "unit": f.metadata["unit"] or "",
            "help": f.metadata["help"],
        }
        for f in fields(Settings)
    ]


def _read_toml(path: Path) -> dict[str, Any]:
    if not path.is_file():
        return {}
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: {error}") from error


def _read_dotenv(path: Path) -> dict[str, str]:
    if not path.is_file():
        return {}
    from dotenv import dotenv_values

    return {key: value for key, value in dotenv_values(path, interpolate=False).items() if value is not None}


def _convert(key: str, value: Any, source: str) -> Any:
    tables = {f.name: f.metadata for f in fields(Settings)}
    if key not in tables:
        raise InputError(f"{source}: no setting {key!r}; there are {', '.join(tables)}")
    kind, least = tables[key]["kind"], tables[key]["least"]
    try:
        if kind is bool:
            return _BOOLEANS[str(value).lower()]
        found: Any = Path(value).expanduser() if kind is Path else kind(value)
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        raise InputError(f"{source}: {key} must be of type {kind.__name__}, not {value!r}") from error
    if least is not None and not least <= found < inf:
        raise InputError(f"{source}: {key} must be at least {least:g}, not {value!r}")
    return found
