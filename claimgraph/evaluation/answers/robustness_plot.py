"""Plot robustness: a row a measure, a column a retrieval mode, a line a perturbation with its
interval, dashes without a graph.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from claimgraph.evaluation.answers.robustness import MEASURES, RobustnessReport
from claimgraph.kgstore.extras import require

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_NAMES = {"rs": "relations swapped", "rr": "relations replaced", "er": "edges reconnected", "ed": "edges deleted"}


def plot(report: RobustnessReport, path: Path) -> None:
    """Draw into a file; its suffix names the format."""
    require("eval")
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    modes = list(dict.fromkeys(level.mode for level in report.levels))
    names = (*MEASURES, "verdict_flips")
    measures = [name for name in names if any(getattr(one, name) is not None for one in report.levels)]
    figure = Figure(figsize=(4 * len(modes), 3 * len(measures)), layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.subplots(len(measures), len(modes), squeeze=False, sharex=True, sharey="row")
    for row, measure in enumerate(measures):
        for column, mode in enumerate(modes):
            _panel(axes[row, column], report, measure, mode)
    axes[0, -1].legend(fontsize="small")
    figure.savefig(path)


def _panel(axis: Axes, report: RobustnessReport, measure: str, mode: str) -> None:
    for kind in dict.fromkeys(level.perturbation for level in report.levels):
        points = [
            (one.level, getattr(one, measure), one.ci95.get(measure))
            for one in report.levels
            if (one.perturbation, one.mode) == (kind, mode) and getattr(one, measure) is not None
        ]
        steps = [level for level, _, _ in points]
        [line] = axis.plot(steps, [value for _, value, _ in points], marker="o", label=_NAMES[kind])
        low, high = zip(*(within or (value, value) for _, value, within in points), strict=True)
        axis.fill_between(steps, low, high, color=line.get_color(), alpha=0.15)
    if (without := report.no_kg.get(measure)) is not None:
        axis.axhline(without, linestyle="--", color="grey", label="no graph")
    axis.set(title=mode, xlabel="% of facts perturbed", ylabel=measure.replace("_", " "), ylim=(-0.02, 1.02))
