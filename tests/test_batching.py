"""Pairs of concurrent callers in one call: the same scores, no caller's fault another's, nobody waits for ever."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from oracle_bert import write_random_bert

from claimgraph.detect.models.entailment import OnnxEntailment
from claimgraph.kgstore.errors import ModelError
from claimgraph.workers import batching
from claimgraph.workers.batching import MicroBatched, Pair, Scores
from claimgraph.workers.execution.store_retry import Overdue

POISON = ("poison", "poison")


class Lengths:
    """A model whose score is the length of the premise. It waits before its first call until it is let go."""

    model = "lengths"

    def __init__(self, *, held: bool = False) -> None:
        self.calls: list[list[Pair]] = []
        self.asked, self.go = threading.Event(), threading.Event()
        if not held:
            self.go.set()

    def entail(self, pairs: Sequence[Pair]) -> Scores:
        """One row a pair."""
        self.calls.append(list(pairs))
        self.asked.set()
        assert self.go.wait(60)
        if POISON in pairs:
            raise ModelError("the model cannot read this")
        return np.array([[len(premise), 0, 0] for premise, _ in pairs], np.float32).reshape(-1, 3)


def pairs_of(*lengths: int) -> list[Pair]:
    """Pairs with premises of these lengths."""
    return [("a" * length, "b") for length in lengths]


def asked_together(model: Lengths, batched: MicroBatched, *asked: Sequence[Pair]) -> list[Scores | BaseException]:
    """What callers get who ask while the model is busy with another: all are waiting when it comes to them."""
    with ThreadPoolExecutor(len(asked) + 1) as pool:
        first = pool.submit(batched.entail, pairs_of(1))
        assert model.asked.wait(60)
        answers = [pool.submit(batched.entail, pairs) for pairs in asked]
        while len(batched._open) <= len(asked):
            threading.Event().wait(0.001)
        model.go.set()
        first.result(60)
        return [answer.exception(60) or answer.result() for answer in answers]


def test_scores_are_the_models(tmp_path: Path) -> None:
    """A real model's scores do not change, whoever else asks at the same time."""
    folder = write_random_bert(tmp_path, labels=("contradiction", "entailment", "neutral"))
    model = OnnxEntailment(folder, tmp_path / "cache")
    batched = MicroBatched(model, limit=60, most=8)
    asked = [[(f"born in {caller} " * (pair + 1), "marie was born") for pair in range(5)] for caller in range(6)]
    with ThreadPoolExecutor(6) as pool:
        found = list(pool.map(batched.entail, asked))
    assert [model.entail(pairs).tobytes() for pairs in asked] == [scores.tobytes() for scores in found]


def test_concurrent_callers_are_one_call() -> None:
    """Who asks while the model is busy is answered with all others who do, in a call of at most so many pairs."""
    model = Lengths(held=True)
    answers = asked_together(
        model, MicroBatched(model, limit=60, most=4), pairs_of(2, 3), pairs_of(4), pairs_of(5, 6, 7)
    )
    assert [[2, 3], [4], [5, 6, 7]] == [answer[:, 0].tolist() for answer in answers]
    assert 4 == max(len(call) for call in model.calls)
    assert 3 == len(model.calls)


def test_an_error_is_its_callers_alone() -> None:
    """A pair that the model cannot read fails for the caller who asked about it; the others have their scores."""
    model = Lengths(held=True)
    bad, good = asked_together(model, MicroBatched(model, limit=60), [*pairs_of(2), POISON], pairs_of(3))
    assert "the model cannot read this" == str(bad)
    assert [[3, 0, 0]] == good.tolist()


def test_a_short_question_does_not_wait_for_a_long_one() -> None:
    """Callers share each call alike, so few pairs are answered long before many are."""
    model = Lengths(held=True)
    long, short = asked_together(model, MicroBatched(model, limit=60, most=4), pairs_of(*range(40)), pairs_of(99))
    assert [39, 99] == [long[-1, 0], short[0, 0]]
    assert ("a" * 99, "b") in model.calls[1]


def test_a_model_that_hangs_is_overdue() -> None:
    """Callers of a model that does not come back wait as long as they may, and no longer."""
    model = Lengths(held=True)
    batched = MicroBatched(model, limit=0.05)
    with pytest.raises(Overdue):
        batched.entail(pairs_of(1))
    model.go.set()


def test_an_answer_at_the_limit_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    """An answer that arrives in the moment in which a caller's wait ends is that caller's answer."""

    class Late(Future[Scores]):
        def result(self, timeout: float | None = None) -> Scores:
            found = super().result(60)
            if timeout is not None:
                raise TimeoutError
            return found

    monkeypatch.setattr(batching, "Future", Late)
    assert [[3, 0, 0]] == MicroBatched(Lengths(), limit=0.05).entail(pairs_of(3)).tolist()


def test_too_much_for_one_caller_is_overdue() -> None:
    """A caller whose pairs take the model longer than they may is told so, and the model is free for others."""
    model = Lengths()
    batched = MicroBatched(model, limit=0.0, most=1)
    with pytest.raises(Overdue):
        batched.entail(pairs_of(*range(1000)))
    assert len(model.calls) < 1000


def test_nothing_asked_is_nothing_found() -> None:
    """No pairs are no rows."""
    assert (0, 3) == MicroBatched(Lengths(), limit=60).entail([]).shape
