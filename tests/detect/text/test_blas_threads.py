"""spaCy's products run on one thread of BLAS, which has as many as before as soon as no parse runs."""

from __future__ import annotations

import threading

import numpy as np
import pytest
from threadpoolctl import ThreadpoolController

from claimgraph.detect.compare.typed.sentence import read_all
from claimgraph.detect.text.blas_threads import one_thread
from claimgraph.detect.text.parse import paragraphs

TEXT = "Marie Curie, who was born in Warsaw, discovered polonium and radium with her husband. She died in 1934."


@pytest.fixture
def blas():
    """The libraries of BLAS, with two threads each."""
    controller = ThreadpoolController().select(user_api="blas")
    with controller.limit(limits=2):
        yield controller


def threads(controller):
    return {library["num_threads"] for library in controller.info()}


def test_parses_run_on_one_thread(blas, monkeypatch):
    """Every product of a paragraph's and of a statement's parse finds one thread."""
    seen, dot = set(), np.dot

    def watched(*given, **named):
        seen.update(threads(blas))
        return dot(*given, **named)

    monkeypatch.setattr(np, "dot", watched)
    assert list(paragraphs([TEXT]))
    assert read_all([TEXT])
    assert {1} == seen
    assert {2} == threads(blas)


def test_another_caller_changes_nothing(blas):
    """One that begins while another is inside does not take 1 for what was before, whoever leaves last."""
    inside, leave = threading.Event(), threading.Event()

    def wait():
        with one_thread():
            inside.set()
            leave.wait(10)

    other = threading.Thread(target=wait)
    with one_thread():
        other.start()
        inside.wait(10)
        assert {1} == threads(blas)
    leave.set()
    other.join()
    assert {2} == threads(blas)
