"""Fits the weights of linking on the rows that eval linking does not hold out; prints them by preset.

python scripts/fit_linking.py FEWREL.jsonl.gz QUESTIONS.jsonl.gz --graph G [--graph G ...] [--limit N]
The store and the cache are those of the settings. Logistic regression, C = 3, one row a candidate; of the
questions those whose entity is in the graphs, of the sentences all, so that their scores know of NIL.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from sklearn.linear_model import LogisticRegression

from claimgraph.evaluation.linking import LinkingCase, cases, covered
from claimgraph.kgstore.views import StoreView
from claimgraph.retrieval.linking import features, mentions
from claimgraph.retrieval.linking.link import WEIGHTS
from claimgraph.settings import load_settings
from claimgraph.wiring import embedder, open_store


def main() -> None:
    """Read, compute, fit, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sentences", type=Path)
    parser.add_argument("questions", type=Path)
    parser.add_argument("--graph", action="append", required=True)
    parser.add_argument("--limit", type=int, default=600)
    given = parser.parse_args()
    settings = load_settings()
    model = embedder(settings)
    with open_store(settings, read_only=True) as store:
        index = StoreView(store, tuple(given.graph))
        sentences = [
            (case.gold, features.tables(case.mentions, index, model)) for case in _fitted(given.sentences, given.limit)
        ]
        asked = _fitted(given.questions, None)
        inside = covered([case.gold[0] for case in asked], store, given.graph)
        questions = [(case.gold, [mentions.table(case.text, index, model)]) for case in asked if case.gold[0] in inside]
    for preset, weights in WEIGHTS.items():
        _print("link", preset, sentences, features.FEATURES, list(weights))
    for preset, weights in mentions.WEIGHTS.items():
        _print("mentions", preset, questions, mentions.FEATURES, list(weights))


def _fitted(path: Path, limit: int | None) -> list[LinkingCase]:
    return [case for case in cases(path) if not case.held_out][:limit]


def _print(room: str, preset: str, rows: Sequence, names: Sequence[str], chosen: Sequence[str]) -> None:
    pairs = [(gold, table) for golds, tables in rows for gold, table in zip(golds, tables, strict=True)]
    columns = [names.index(name) for name in chosen if name != "one"]
    x = np.vstack([table.features for _, table in pairs])[:, columns]
    y = np.array([one.entity.id == gold for gold, table in pairs for one in table.named])
    fitted = LogisticRegression(C=3, max_iter=5000).fit(x, y)
    weights = {"one": fitted.intercept_[0], **dict(zip([names[c] for c in columns], fitted.coef_[0], strict=True))}
    print(room, preset, {name: round(float(weight), 2) for name, weight in weights.items()}, flush=True)


if __name__ == "__main__":
    main()
