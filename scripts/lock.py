"""Turn pip's resolution report into constraints: `pip install --dry-run --report F ...`, then `lock.py F`.

Names and versions only. Hashes were left out, since pip takes them for requirements, not for constraints.
"""

import json
import sys
from pathlib import Path


def main() -> None:
    report = json.loads(Path(sys.argv[1]).read_text())
    packages = {item["metadata"]["name"].lower(): item["metadata"]["version"] for item in report["install"]}
    packages.pop("claimgraph")
    print("# Versions that development and CI install; written by `make lock`.")
    print("\n".join(f"{name}=={version}" for name, version in sorted(packages.items())))


if __name__ == "__main__":
    main()
