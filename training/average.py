"""The mean of weights that were trained apart: `python -m training.average --weights FOLDER... --out FOLDER`.

Processes that train on parts of the pairs from the same start, a core each, do not wait for each other; the mean of
what they learnt is about what one would have learnt from all (McMahan et al. 2017; Wortsman et al. 2022).
"""

from __future__ import annotations

import argparse
import shutil
from pathlib import Path

import torch
from safetensors.torch import load_file, save_file

from training.model import COPIED


def main() -> None:
    """Write the folder."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--weights", type=Path, nargs="+", required=True, help="folders that training.train wrote")
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()
    parts = [load_file(folder / "model.safetensors") for folder in args.weights]
    mean = {name: torch.stack([part[name].float() for part in parts]).mean(dim=0).half() for name in parts[0]}
    args.out.mkdir(parents=True, exist_ok=True)
    save_file(mean, args.out / "model.safetensors")
    for name in COPIED:
        shutil.copyfile(args.weights[0] / name, args.out / name)


if __name__ == "__main__":
    main()
