"""Print an evaluation as tables."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import typer

from claimgraph.cli.common.printing import print_table
from claimgraph.evaluation.detection.run import Evaluated

_FIGURES = {
    "auc_roc": "AUC-ROC",
    "pr_auc": "PR-AUC",
    "balanced_accuracy": "balanced",
    "accuracy": "accuracy",
    "precision": "precision",
    "recall": "recall",
    "f1": "F1",
}


def print_evaluated(found: Evaluated) -> None:
    """Print one table a set and method, its baselines below it; then types, and GraphEval's gain."""
    for one in found.evaluations:
        report = one.report
        typer.echo(
            f"{report['dataset']}, {report['method']}: {report['n']} labelled by {report['unit']} "
            f"(rule {report['label_rule']}), {report['positives']} hallucinated; {report['no_claims']} without claims, "
            f"{report['abstained']} abstained, {report['without_evidence']} left out without evidence; "
            f"threshold fitted: {report['fitted']}; {report['documents_per_second']} documents a second"
        )
        others = report["baselines"]
        print_table(("", report["method"], "95%", *others), _rows(report))
        for name, other in others.items():
            if "method_minus_this" in other:
                auc, accuracy = (_difference(other["method_minus_this"][k]) for k in ("auc_roc", "balanced_accuracy"))
                typer.echo(f"minus {name}: AUC {auc}, balanced accuracy {accuracy}")
        if report["hallucination_type"]:
            print_table(("type", "n", "precision", "recall", "f1"), _kinds(report["hallucination_type"]))
        if report.get("grapheval_minus_nli"):
            gained = report["grapheval_minus_nli"]
            typer.echo(f"GraphEval minus the whole text, balanced accuracy in points: {_difference(gained)}")
            quartiles = gained["by_output_length"]
            print_table(tuple(quartiles[0]), [tuple(row.values()) for row in quartiles])
    if found.gain:
        print_table(tuple(found.gain), [tuple(found.gain.values())])


def _rows(report: dict[str, Any]) -> Iterator[tuple[object, ...]]:
    others = report["baselines"].values()
    for name, title in _FIGURES.items():
        bounds = report["ci95"][name]
        yield (title, report[name], bounds and f"{bounds[0]:.2f}-{bounds[1]:.2f}", *(o.get(name) for o in others))
    yield ("threshold", report["threshold"], None, *(other.get("threshold") for other in others))


def _kinds(found: dict[str, Any]) -> Iterator[tuple[object, ...]]:
    for title, part in (("all", found), ("detected", found["detected"])):
        for kind in ("intrinsic", "extrinsic", "weighted"):
            row = part[kind]
            yield (f"{title}, {kind}", row.get("n"), row["precision"], row["recall"], row["f1"])
    yield ("ties left out", found["ties"], None, None, None)


def _difference(found: dict[str, Any]) -> str:
    if found["value"] is None:
        return "undefined"
    bounds = found["ci95"]
    return f"{found['value']:+.3f}" + (f" [{bounds[0]:+.3f}, {bounds[1]:+.3f}]" if bounds else "")
