"""Admit user Cypher: text in, one allowed read statement out.

Read access mode is no sandbox: under it both engines answer LOAD CSV with local files, Neo4j fetches addresses, stops
other people's transactions and shows its settings, and kglite runs what follows a `;`. So every text of a user passes
here, by tokens (tokens.py), whatever brings it: command line, web page or program. Read access mode, time, row and
memory limits come on top, in the engines. A full Cypher grammar was rejected: the two engines' dialects differ, and an
error in a query is theirs to explain.
"""

from __future__ import annotations

import unicodedata
from itertools import takewhile
from operator import itemgetter

from claimgraph.kgstore.errors import QueryRefused
from claimgraph.kgstore.query.tokens import Token, TokenKind, refuse, source, tokenize

_WRITES = frozenset({"create", "delete", "detach", "foreach", "insert", "merge", "nodetach", "remove", "set"})
_SCHEMA = frozenset({"alter", "deny", "drop", "grant", "rename", "revoke", "use"})
_FILES = frozenset({"load"})
_SERVER = frozenset({"periodic", "show", "terminate", "transaction", "transactions"})
_RULES = (
    (_WRITES, "a query changes nothing; `claimgraph rule`, `ingest` and `forget` do, and MATCH ... RETURN reads"),
    (_SCHEMA, "a query changes no schema, rights or database; MATCH ... RETURN reads this one"),
    (_FILES, "a query reads no files; `claimgraph ingest` does"),
    (
        _SERVER,
        "a query asks the graph alone, not the server; `claimgraph schema` lists labels, properties, relationships",
    ),
)
FORBIDDEN = _WRITES | _SCHEMA | _FILES | _SERVER
"""Words that begin what is no read. They may be names right after `.` or `:` (`n.set`, `:Set`) or, in backticks, after
AS. Elsewhere backticks do not help: kglite runs `LOAD` CSV with the word in backticks.

START is not among them: it could only begin a statement, and no engine here knows it any more.
"""

OPENINGS = frozenset({"call", "match", "optional", "return", "unwind", "with"})
"""Words a read statement may begin with. EXPLAIN and PROFILE are not among them: they return a plan, no rows."""

PROCEDURES = frozenset(
    {
        "db.index.fulltext.queryNodes",
        "db.index.vector.queryNodes",
        "db.labels",
        "db.propertyKeys",
        "db.relationshipTypes",
    }
)
"""Callable procedures; all of them read the graph and nothing else."""

NAMESPACES = frozenset({"date", "datetime", "duration", "localdatetime", "localtime", "point", "time", "vector"})
"""Namespaces of allowed dotted functions; others come from plug-ins, which may read files."""

_WORDS = frozenset({TokenKind.NAME, TokenKind.QUOTED})


def admit(text: str) -> str:
    """Return the one read statement in `text`, without comments and closing `;`, or QueryRefused naming word
    and place.
    """
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise refuse(text, error.start, "bytes that are no UTF-8") from None
    tokens = _one_statement(text, tokenize(text))
    for index, token in enumerate(tokens):
        if token.kind in _WORDS:
            _check_word(text, tokens, index)
        elif token.text == "(":
            _check_function(text, tokens, index)
    if tokens[0].kind is not TokenKind.NAME or _key(tokens[0]) not in OPENINGS:
        known = ", ".join(sorted(OPENINGS)).upper()
        raise refuse(text, tokens[0].start, f"a read cannot begin with {tokens[0].text}, only with {known}")
    return source(tokens, text)


def _one_statement(text: str, tokens: list[Token]) -> list[Token]:
    while tokens and tokens[-1].text == ";":
        tokens.pop()
    if not tokens:
        raise QueryRefused("the query is empty")
    for index, token in enumerate(tokens):
        if token.text == ";":
            after = tokens[index + 1]
            raise refuse(text, after.start, f"{after.text} begins a second statement; give one at a time")
    return tokens


def _check_word(text: str, tokens: list[Token], index: int) -> None:
    token = tokens[index]
    if _is_member(tokens, index) or _is_alias(tokens, index):
        return
    if _key(token) in FORBIDDEN:
        raise refuse(text, token.start, f"{token.text} is not allowed in a read: {_instead(tokens, index)}")
    if _key(token) == "call":
        _check_call(text, tokens, index)


def _instead(tokens: list[Token], index: int) -> str:
    """Return the rule that a forbidden word breaks and what is allowed; of a name, how it may be written."""
    before = tokens[index - 1] if index else None
    if before and (before.text in {"(", "[", ",", "{"} or _key(before) in {"as", "unwind", "with", "return"}):
        return f"use another name, or AS `{tokens[index].name}`"
    return next(rule for words, rule in _RULES if _key(tokens[index]) in words)


def _is_member(tokens: list[Token], index: int) -> bool:
    """Return whether the name is a property or label for certain: it touches a `.` after a name or bracket, or
    one `:`.
    """
    if index < 2 or tokens[index - 1].end != tokens[index].start:
        return False
    owner, mark = tokens[index - 2], tokens[index - 1].text
    if mark == ".":
        return owner.kind in _WORDS | {TokenKind.PARAMETER} or owner.text in {")", "]", "}"}
    return mark == ":" and owner.text != ":"


def _is_alias(tokens: list[Token], index: int) -> bool:
    return index > 0 and tokens[index].kind is TokenKind.QUOTED and _key(tokens[index - 1]) == "as"


def _check_call(text: str, tokens: list[Token], index: int) -> None:
    """Check that CALL is followed by a subquery, which this same pass checks, or a procedure on the list."""
    rest = tokens[index + 1 : index + 10]
    if rest and rest[0].text in {"{", "("}:
        return
    name = _dotted(rest)
    if name not in PROCEDURES:
        allowed = ", ".join(sorted(PROCEDURES))
        raise refuse(
            text, tokens[index].start, f"CALL {name or 'of nothing'} is not allowed, only CALL {{ }} and {allowed}"
        )


def _dotted(tokens: list[Token]) -> str:
    """Return the name at the beginning, over all its dots: `db.labels` of `db.labels()`."""
    dotted = (t.kind in _WORDS if place % 2 == 0 else t.text == "." for place, t in enumerate(tokens))
    return "".join(token.name for token, fits in takewhile(itemgetter(1), zip(tokens, dotted, strict=True)))


def _check_function(text: str, tokens: list[Token], index: int) -> None:
    """Refuse a dotted function outside NAMESPACES; `index` is that of an opening bracket."""
    first = index - 1
    while first >= 2 and tokens[first - 1].text == "." and tokens[first].kind in _WORDS:
        first -= 2
    if first == index - 1:
        return
    name = "".join(token.name for token in tokens[first:index])
    called = first > 0 and _key(tokens[first - 1]) == "call" and not _is_member(tokens, first - 1)
    if not called and tokens[first].name.lower() not in NAMESPACES:
        raise refuse(text, tokens[first].start, f"the function {name} is not allowed")


def _key(token: Token) -> str:
    """Return the word as the most lenient engine may read it: without case, accents and lookalike letters (`ſet`)."""
    if token.kind not in _WORDS:
        return ""
    letters = (c for c in unicodedata.normalize("NFKD", token.name.upper()) if not unicodedata.combining(c))
    return "".join(letters).casefold()
