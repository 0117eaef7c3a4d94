"""Write a picture of claims (drawing.py) as a file: SVG as it is, a page around it, or PNG by resvg.

resvg (a Rust library in one wheel of 3 MB) was chosen before cairosvg, which needs libraries of the system.
"""

from __future__ import annotations

from html import escape
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from claimgraph.kgstore.extras import require

PICTURES = (".svg", ".png", ".html")
"""Endings of the files that can be written."""
_ZOOM = 2.0
"""Pixels of a PNG to one of the SVG."""


def as_file(svg: str, kind: str, title: str) -> bytes:
    """Return the bytes of a file of that ending. Raises MissingExtra for a PNG without resvg."""
    if kind == ".png":
        require("export", "resvg_py")
        from resvg_py import svg_to_bytes

        return bytes(svg_to_bytes(svg_string=svg, background="white", zoom=_ZOOM, **_fonts()))
    page = f"<!doctype html>\n<meta charset=utf-8><title>{escape(title)}</title>\n{svg}\n"
    return (page if kind == ".html" else svg).encode()


def _fonts() -> dict[str, Any]:
    """Return matplotlib's font where that is installed: a server may have no other."""
    found = find_spec("matplotlib")
    folders = [Path(one, "mpl-data", "fonts", "ttf") for one in (found and found.submodule_search_locations) or ()]
    known = [str(one) for one in folders if one.is_dir()]
    return {"font_dirs": known, "sans_serif_family": "DejaVu Sans"} if known else {}
