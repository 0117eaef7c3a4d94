"""Name the objectives of a threshold apart from the arithmetic, so that the command line starts without numpy."""

from __future__ import annotations

from enum import StrEnum


class Objective(StrEnum):
    """The objectives of a threshold. Youden's J is 2 x balanced accuracy - 1."""

    BALANCED_ACCURACY = "balanced_accuracy"
    F1 = "f1"
    YOUDEN = "youden"
