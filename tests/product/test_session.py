"""The Python interface: models that stay loaded, reports in other libraries' forms, and the assertion for tests."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import version

import pytest

import claimgraph
from claimgraph.detect.models import entailment
from claimgraph.testing import assert_supported
from claimgraph.wiring import models

CONTEXT = "The mine opened in 1881. The mine closed in 1903."
TEXT = "The mine opened in 1891. The mine closed in 1903."


@pytest.fixture
def settings(tmp_path):
    """A store and a cache of the test's own."""
    return claimgraph.Settings(store=tmp_path / "store", cache=tmp_path / "cache")


def outcomes(report):
    return {claim.object: verdict.outcome.value for claim, verdict in zip(report.claims, report.verdicts, strict=True)}


def test_models_are_loaded_once_a_process(settings, monkeypatch):
    """check in a loop, and sessions, build one entailment model between them, and read a cache's names once."""
    models._own_entailment.cache_clear()
    built = []
    given = entailment.OnnxEntailment.__init__
    monkeypatch.setattr(
        entailment.OnnxEntailment, "__init__", lambda self, *a, **k: (built.append(1), given(self, *a, **k))[1]
    )
    for text in (TEXT, TEXT, f"{TEXT} It is deep."):
        claimgraph.check(text, context=CONTEXT, settings=settings)
    with claimgraph.Session(settings) as session:
        found = list(session.check_many([TEXT, CONTEXT], context=CONTEXT))
    assert 1 == len(built)
    assert models.embedder(settings) is models.embedder(settings)
    assert [{"1891": "REFUTED", "1903": "SUPPORTED"}, {"1881": "SUPPORTED", "1903": "SUPPORTED"}] == list(
        map(outcomes, found)
    )


def test_several_contexts_threads_and_an_event_loop(settings):
    """A session takes several contexts, is called from threads, and waits for no check in an event loop."""
    contexts = CONTEXT.replace(". ", ".\n").splitlines()
    with claimgraph.Session(settings) as session:
        report = asyncio.run(session.check_async(TEXT, context=contexts))
        with ThreadPoolExecutor(2) as pool:
            again = list(pool.map(lambda text: outcomes(session.check(text, context=contexts)), [TEXT, TEXT]))
    assert {"1891": "REFUTED", "1903": "SUPPORTED"} == outcomes(report) == again[0] == again[1]
    cited = {v.citations[0].evidence.source for v in report.verdicts}
    assert {"context 1", "context 2"} == cited


def test_a_report_has_the_forms_of_other_libraries(settings):
    """A dict, a graph, RDF and HTML have the claims and verdicts; a data frame where pandas is installed."""
    report = claimgraph.check(TEXT, context=CONTEXT, settings=settings)
    assert isinstance(report, claimgraph.Report)
    assert "REFUTED" == report.to_dict()["document"]["verdict"]["outcome"]
    graph = report.to_networkx()
    assert {claim.id for claim in report.claims} <= set(graph.nodes)
    assert any("REFUTED" in str(value) for _, _, value, _ in report.to_rdf().quads())
    assert "refuted" in report._repr_html_()
    frame = report.to_pandas()
    assert ["REFUTED", "SUPPORTED"] == sorted(frame["outcome"])


def test_an_assertion_names_what_is_not_supported(settings):
    """What the context refutes or does not say fails, with the evidence; what it leaves open may be allowed."""
    assert 2 == len(assert_supported(CONTEXT, CONTEXT, settings=settings).verdicts)
    with pytest.raises(AssertionError, match=r"\*\*Refuted\*\*(?s:.*)1881"):
        assert_supported(TEXT, CONTEXT, settings=settings)
    more = f"{CONTEXT} The painter lived in Leeds."
    with pytest.raises(AssertionError, match="Not enough info"):
        assert_supported(more, CONTEXT, settings=settings)
    assert_supported(more, CONTEXT, open_is_fine=True, settings=settings)


def test_the_version_is_that_of_the_distribution():
    """`claimgraph.__version__` is what `claimgraph --version` prints."""
    assert version("claimgraph") == claimgraph.__version__
