"""Print a bill of materials (CycloneDX 1.6, JSON) of what is installed for claimgraph: `python scripts/sbom.py`.

Every distribution of this environment with its version and licence. A generator from PyPI was rejected: it would be one
more package to trust.
"""

from __future__ import annotations

import json
import re
import sys
from importlib.metadata import Distribution, distributions
from typing import Any


def bill() -> dict[str, Any]:
    """Return the bill: claimgraph as the component it is of, and all others by name."""
    found = {_name(one): one for one in distributions()}
    components = [_component(found[name]) for name in sorted(found)]
    own = next(one for one in components if one["name"] == "claimgraph")
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": own | {"type": "application"}},
        "components": [one for one in components if one is not own],
    }


def _component(one: Distribution) -> dict[str, Any]:
    reference = f"pkg:pypi/{_name(one)}@{one.version}"
    said = {"type": "library", "bom-ref": reference, "name": _name(one), "version": one.version, "purl": reference}
    licence = one.metadata.get("License-Expression")
    return said | ({"licenses": [{"expression": licence}]} if licence else {})


def _name(one: Distribution) -> str:
    return re.sub(r"[-_.]+", "-", one.metadata["Name"]).lower()


if __name__ == "__main__":
    json.dump(bill(), sys.stdout, indent=2)
    sys.stdout.write("\n")
