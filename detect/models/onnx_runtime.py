"""Import ONNX Runtime without its telemetry: its wheels note device and process, for a collector that they name."""

from __future__ import annotations

import os
from typing import Any


def onnx_runtime() -> Any:
    """Return the module `onnxruntime`, told before its import to report nothing: it does so as it is loaded."""
    os.environ["ORT_DISABLE_TELEMETRY"] = "1"
    import onnxruntime

    return onnxruntime
