"""The larger entailment model of claimgraph: nothing but its folder, which claimgraph reads where this is installed."""

from pathlib import Path

FOLDER = Path(__file__).parent / "model"
"""config.json, tokenizer.json, and the ONNX graph with its weights beside it; claimgraph checks their sha256."""
