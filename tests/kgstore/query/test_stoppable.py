"""Neo4j is asked nothing that it could not stop, and what it stops leaves it free; hostile statements do nothing."""

from __future__ import annotations

import time
from contextlib import closing
from random import Random
from typing import Any

import pytest
from hostile_cypher import READS, statements

from claimgraph.kgstore.engines import bolt_query
from claimgraph.kgstore.engines.bolt import BoltStore
from claimgraph.kgstore.errors import QueryLimit, QueryRefused
from claimgraph.kgstore.query.bounded_lists import LOOPS, bound_lists
from claimgraph.kgstore.query.guard import admit
from claimgraph.kgstore.query.stoppable import DEPTH, JOINS, WORDS, check_stoppable
from claimgraph.kgstore.store import QueryLimits

ENDLESS = {
    "RETURN reduce(a = 0, i IN range(1, 100000000000) | a + 1) AS x": "takes numbers up to 10,000",
    "RETURN size([i IN range(1, 1e9) WHERE i = 1]) AS x": "takes numbers up to 10,000",
    "RETURN range(1, $most) = range(1, $most) AS x": "takes numbers up to 10,000",
    "WITH 100000000000 AS n RETURN any(i IN range(1, n) WHERE i = -1) AS x": "takes numbers up to 10,000",
    "UNWIND range(1, 100000000000) + [1] AS l RETURN l": "takes numbers up to 10,000",
    "RETURN [a IN $l | [b IN $l | a * b]] AS x": "a loop in a loop",
    "RETURN any(a IN $l WHERE none(b IN $l WHERE a = b)) AS x": "a loop in a loop",
    "MATCH (n) WITH collect(n.id) AS l RETURN [x IN l WHERE NOT x IN l] AS x": "IN over a list in a loop",
    "MATCH (n) WITH collect(n.id) AS l RETURN [x IN l WHERE l = l] AS x": "l is a collected list",
    "MATCH (n) WITH collect(n.id) AS l WITH reverse(l) AS m RETURN any(i IN range(1, 9) WHERE m <> l) AS x": "m is a",
    "MATCH (n) WITH collect(n.id) AS l WITH {a: l} AS m RETURN [i IN range(1, 9) WHERE m.a = m.a] AS x": "m is a",
    "UNWIND range(1, 9) AS i WITH collect(i) AS l RETURN [i IN range(1, 9) | l] AS ll": "l is a collected list",
    "MATCH (n) WITH n, collect(n.id) AS l WITH collect(l) AS ll RETURN [i IN ll WHERE ll[0] = ll[1]] AS x": "ll is a",
    "MATCH (n) WITH n, collect(n.x) AS m WITH collect(m) AS ll UNWIND ll AS l RETURN [i IN ll | l = m] AS x": "l is",
    "WITH COLLECT { MATCH (n) RETURN n.id } AS l RETURN all(x IN l WHERE l = l) AS x": "l is a collected list",
    "WITH [i IN range(1, 10000) | i] AS `l l` RETURN [i IN range(1, 9) WHERE `l l` = `l l`] AS x": "a collected list",
    "RETURN reduce(s = 'ab', i IN range(1, 60) | s + s) AS s": "s doubles",
    "RETURN reduce(s = [1], i IN range(1, 60) | [s, s]) AS s": "s doubles",
    "RETURN $s =~ '(a+)+b' AS x": "repeats no group",
    "RETURN $s =~ '.*.*.*.*x' AS x": "at most 3",
    "RETURN $s =~ $pattern AS x": "repeats no group",
    "MATCH (n) RETURN 'a' =~ n.name AS x": "must be one string or parameter",
    "RETURN $s =~ '(a' + '+)+b' AS x": "must be one string or parameter",
    "WITH [1] AS s " + "WITH s + s AS s " * (JOINS + 1) + "RETURN size(s) AS x": f"more than {JOINS} +",
    "WITH [1] AS a " + "WITH [a, a] AS a " * (JOINS + 1) + "RETURN a = a AS x": "hold a name twice",
    "WITH [1] AS a " + "WITH {x: a, y: a} AS a " * (JOINS + 1) + "RETURN a = a AS x": "hold a name twice",
    "RETURN " + "+".join("1" * 1_000) + " AS x": f"more than {WORDS:,}",
    "RETURN " + "[" * (DEPTH + 1) + "]" * (DEPTH + 1) + " AS x": f"more than {DEPTH}",
}
PARAMS: dict[str, Any] = {"most": 10**11, "l": [1], "s": "aaaa!", "pattern": "(a|aa)+b"}

USUAL = [
    *READS,
    "UNWIND range(1, 100000000000) AS i RETURN i LIMIT 3",
    "RETURN [[0, 0, 1], [a, a], [a.x, a.x], {x: a, y: a}] AS x",
    "MATCH p = (a)-[*1..3]->(b) RETURN [i IN range(0, size(ns) - 1) | i] AS x",
    "RETURN [x IN keys($m) WHERE NOT x IN ['a', 'b'] AND NOT x IN $l] AS x",
    "RETURN reduce(most = 0, x IN $l | CASE WHEN x > most THEN x ELSE most END) AS most",
    "RETURN reduce(sum = 0.0, x IN $l | sum + x * x) AS sum",
    "MATCH (n) WITH collect(n.x) AS l RETURN [i IN range(0, size(l) - 2) WHERE l[i] > l[i + 1] | i / size(l)] AS down",
    "MATCH (n) WITH collect(n.x) AS l, sum(n.x) AS all WITH l, all, size(l) AS n RETURN [x IN l | x / all / n] AS x",
    "MATCH (n) WITH collect(n) AS l UNWIND l AS n RETURN [i IN range(1, 3) WHERE n.x = i | n] AS x",
    "MATCH (n) WITH collect({l: n.id, x: n.x}) AS l RETURN [m IN l WHERE m.l = 'a' | {l: m.x}] AS x, l AS all",
    "MATCH (n) WITH collect(n.x) AS l RETURN [l IN l WHERE l = 1] AS x, l = l AS same",
    "WITH ['SUPPORTED', 'REFUTED'] AS l MATCH (v) RETURN [x IN l WHERE l[0] = x OR l = v.all] AS x",
    "MATCH (n) WHERE n.name =~ '(?i).*curie.*' RETURN n.name + ' (' + n.id + ')' AS shown",
    "MATCH (n) WHERE all(x IN labels(n) WHERE x <> 'A') AND any(x IN n.names WHERE x = 'B') RETURN n.id AS id",
]

COLLECTED = "UNWIND range(1, $long) AS i WITH collect(i) AS l UNWIND range(1, $rows) AS k "
REPEATED = [
    "RETURN size([x IN l WHERE x = k])",
    "RETURN k ORDER BY size([x IN l[1..] WHERE x = k])",
    "RETURN single(x IN l WHERE x = k) AS x, count(*) AS n",
    "WITH l, k WHERE none(x IN l WHERE x = k) RETURN count(k) AS x",
    "WITH {a: l} AS m, k RETURN reduce(s = 0, x IN m.a | s + x * k) AS x",
    "CALL { WITH l, k RETURN size([x IN l WHERE x = k]) AS n } RETURN sum(n) AS x",
    "WITH k, l WHERE EXISTS { WITH l, k WHERE any(x IN l WHERE x = -k) RETURN 1 AS u } RETURN sum(k) AS x",
    "RETURN COLLECT { WITH k, l UNWIND [x IN l WHERE x = -k] AS y RETURN y } AS x",
    "WITH k, l[k..] AS m WHERE -k IN m RETURN k",
    "MATCH (n) WITH l AS m, n WITH m, n ORDER BY n.id RETURN [x IN m WHERE x = n.id | x + 1] AS x",
    "WITH k, split(reduce(s = '', x IN l | s + 'a,'), ',') AS m RETURN all(x IN m WHERE x = 'a') AS x",
]
COMPARED = {
    "WITH k, l WHERE reverse(l) = l RETURN k": "compared or converted whole in every row",
    "WITH k, l WHERE k IN l + [k] RETURN k": "compared or converted whole in every row",
    "WITH k, {a: l, b: 2 * 3} AS m, {a: l + [1]} AS o RETURN m <> o AS x": "compared or converted whole in every row",
    "RETURN toStringList(l)[0] AS x": "compared or converted whole in every row",
    "RETURN l IS :: LIST<INTEGER> AS x": "compared or converted whole in every row",
    "RETURN CASE l WHEN l + [k] THEN 1 ELSE 2 END AS x": "compared or converted whole in every row",
    "WITH k, [l] AS m RETURN [x IN m WHERE x = k] AS x": "a list of lists",
    "RETURN [" + ", ".join(["size([x IN l WHERE x = k])"] * (LOOPS + 1)) + "] AS x": f"more than {LOOPS} loops",
}

BOMBS = [
    "UNWIND range(1, 10000000) AS a UNWIND range(1, 10000000) AS b WITH a WHERE a + b = -1 RETURN a",
    "UNWIND range(1, 1000000000) AS i RETURN i ORDER BY -i",
    "UNWIND range(1, 1000000000) AS i RETURN collect(toString(i) + 'aaaaaaaaaaaaaaaaaaaaaaaaa') AS x",
    "RETURN EXISTS { UNWIND range(1, 100000000000) AS x WITH x WHERE x = -1 RETURN x } AS x",
    "RETURN COLLECT { UNWIND range(1, 100000000000) AS x RETURN x } AS x",
    "UNWIND range(1, 40000000) AS i WITH collect(i) AS l RETURN "
    + " + ".join(["size([x IN l WHERE x = -1])"] * JOINS)
    + " + 0 AS x",
    "UNWIND range(1, 10000) AS i WITH collect(i) AS l UNWIND range(1, 10000000) AS k RETURN ["
    + ", ".join(["size([x IN l WHERE x = k])"] * LOOPS)
    + "] AS x",
    "UNWIND range(1, 100000) AS i WITH collect(i) AS l UNWIND range(1, 10000000) AS k WITH k, l[1..] AS a, l[2..] AS b "
    "WHERE -k IN l OR -k IN a OR -k IN b RETURN k",
    "UNWIND range(1, 1000000) AS i WITH collect(i) AS l UNWIND range(1, 10000000) AS k RETURN l",
    "MATCH " + ", ".join(f"(a{i})--(b{i})" for i in range(60)) + " RETURN 1 AS x",
]
"""Statements that Neo4j ends itself, by its clock or by the memory that they take."""
PLANNED = 30.0
"""Seconds within which a plan is found: the planner looks at no clock either, but stops by itself."""


@pytest.mark.parametrize("text", ENDLESS)
def test_what_the_server_cannot_stop_is_refused(text: str) -> None:
    """A loop without a bound inside an expression is refused in one line that names it."""
    with pytest.raises(QueryRefused) as caught:
        check_stoppable(admit(text), PARAMS)
    assert ENDLESS[text] in str(caught.value)


@pytest.mark.parametrize("text", USUAL)
def test_usual_questions_pass(text: str) -> None:
    """Loops over what a row holds, rows without end, and common regular expressions are no one's attack."""
    check_stoppable(admit(text), {"m": {}, "l": [1]})
    assert not bound_lists(admit(text), {"m": {}, "l": [1]}).bounds


@pytest.mark.parametrize("text", COMPARED)
def test_what_compares_a_collected_list_in_every_row_is_refused(text: str) -> None:
    """By its form: no bound on the list would make it shorter than what users compare."""
    with pytest.raises(QueryRefused) as caught:
        bound_lists(admit(COLLECTED + text), {})
    assert COMPARED[text] in str(caught.value)


def test_a_long_list_is_not_gone_through_in_every_row(neo4j_store: BoltStore) -> None:
    """A loop in every row of a later clause takes any list that is short, and fails at once where it is long; the
    columns are called as the user wrote them.
    """
    _create(neo4j_store, "CREATE (:E {id: 1}), (:E {id: 2})")
    for text in REPEATED:
        asked = admit(COLLECTED + text)
        given = neo4j_store.query(asked, {"long": 4, "rows": 3})
        with closing(neo4j_store._driver.session(database=neo4j_store._database)) as session:
            plain = session.run(asked, long=4, rows=3)
            assert (given.columns, sorted(given.rows, key=str)) == (
                tuple(plain.keys()),
                sorted((tuple(row) for row in plain.values()), key=str),
            )
        begun = time.monotonic()
        with pytest.raises(QueryRefused, match=r"a list of [0-9,]+ elements is gone through in every row"):
            neo4j_store.query(asked, {"long": 110_000, "rows": 1_000}, QueryLimits(seconds=30))
        assert time.monotonic() - begun < 10, text


def test_what_is_collected_may_be_asked_in_a_later_clause(neo4j_store: BoltStore) -> None:
    """Of lists that matched nodes fill: names searched with IN, filtered, compared by their lengths and elements."""
    _create(neo4j_store, "UNWIND range(1, 300) AS i CREATE (:E {id: i, even: i % 2 = 0})")
    both = "MATCH (n:E) WHERE n.even WITH collect(n.id) AS l, count(*) AS n, sum(n.id) AS total "
    for text, found in {
        "MATCH (m:E) WHERE m.id IN l AND NOT m.id + 1 IN l RETURN count(m) AS x": 150,
        "MATCH (m:E) WHERE any(x IN l WHERE x = m.id) AND m.id < total RETURN count(m) AS x": 150,
        "MATCH (m:E {id: n}) RETURN size([x IN l WHERE x > m.id]) AS x": 75,
        "UNWIND l AS m WITH l, m, n WHERE l[0] <> m AND size(l) = n RETURN count(m) AS x": 149,
    }.items():
        assert ((found,),) == neo4j_store.query(both + text, {}).rows, text


def test_the_server_is_free_after_the_time_limit(neo4j_store: BoltStore) -> None:
    """Bombs of time and of memory are ended by the server at their limit, or given up a little later by the client, and
    no transaction of theirs goes on at the server.
    """
    for text in BOMBS:
        with pytest.raises(QueryLimit, match=r"passed its time or memory limit|the server did not end it"):
            neo4j_store.query(text, {}, QueryLimits(seconds=0.5, memory_mib=64))
    last = time.monotonic() + PLANNED
    while _running(neo4j_store) and time.monotonic() < last:
        time.sleep(0.2)
    assert [] == _running(neo4j_store)
    assert ((1,),) == neo4j_store.query("RETURN 1 AS x", {}).rows


def test_the_client_gives_up_where_the_server_does_not(neo4j_store: BoltStore, monkeypatch: pytest.MonkeyPatch) -> None:
    """Should a statement pass that Neo4j cannot stop, the one who asked is told so while it still runs."""
    monkeypatch.setattr(bolt_query, "GRACE", 1.0)
    text = "RETURN size([i IN range(1, 300000000) WHERE i = -1]) AS x"
    monkeypatch.setattr("claimgraph.kgstore.query.stoppable.check_stoppable", lambda *_: None)
    with pytest.raises(QueryLimit, match="did not end it"):
        neo4j_store.query(text, {}, QueryLimits(seconds=0.5))
    assert [text] == _running(neo4j_store)
    assert ((1,),) == neo4j_store.query("RETURN 1 AS x", {}).rows


def test_a_result_larger_than_the_memory_limit_is_not_held(neo4j_store: BoltStore) -> None:
    """Rows are read as they come, until they would take more memory than a query may."""
    with pytest.raises(QueryLimit, match="larger than 1 MiB"):
        neo4j_store.query("UNWIND range(1, 9000) AS i RETURN range(1, 9000) AS x", {}, QueryLimits(memory_mib=1))


@pytest.mark.parametrize("share", [0.02, pytest.param(1.0, marks=pytest.mark.soak)])
def test_no_hostile_statement_does_anything(neo4j_store: BoltStore, share: float) -> None:
    """What the guard lets pass of more than 5,000 hostile statements is planned as a read by Neo4j, and run by a user
    who may write it changes nothing; the suite tries a sample.
    """
    corpus = [text for text in dict.fromkeys(statements("file:///etc/passwd")) if _admitted(text)]
    some = Random(24).sample(corpus, int(len(corpus) * share))
    assert len(some) > 30
    with closing(neo4j_store._driver.session(database=neo4j_store._database)) as session:
        session.run("UNWIND range(1, 5) AS i CREATE (:E {id: toString(i), name: 'n' + toString(i)})").consume()
        before = _contents(session)
        for text in some:
            _try(session, admit(text))
        assert before == _contents(session)


def _create(store: BoltStore, statement: str) -> None:
    with closing(store._driver.session(database=store._database)) as session:
        session.run(statement).consume()


def _try(session: Any, statement: str) -> None:
    """Plan and run it in a session that may write."""
    from neo4j.exceptions import ClientError

    try:
        assert "r" == session.run(f"EXPLAIN {statement}", p=1).consume().query_type, statement
        counters = session.run(statement, p=1).consume().counters
    except ClientError:
        return
    assert not counters.contains_updates, statement
    assert not counters.contains_system_updates, statement


def _admitted(text: str) -> bool:
    try:
        admit(text)
    except QueryRefused:
        return False
    return True


def _contents(session: Any) -> list[Any]:
    nodes = session.run("MATCH (n) RETURN labels(n), properties(n) ORDER BY elementId(n)").values()
    return [nodes, session.run("SHOW INDEXES YIELD name RETURN name ORDER BY name").values()]


def _running(store: BoltStore) -> list[str]:
    shown = "SHOW TRANSACTIONS YIELD currentQuery AS q WHERE NOT q STARTS WITH 'SHOW' AND q <> '' RETURN q"
    with closing(store._driver.session(database=store._database)) as session:
        return [str(row[0]) for row in session.run(shown).values()]
