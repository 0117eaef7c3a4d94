"""Hold the matrix products of spaCy's model to one thread: they are too small to share.

numpy's OpenBLAS gives a product of 60 x 400 to all cores, and its other threads then wait for more at full speed. That
takes several times the processor time of the parse, and on a machine that does other work several times its duration.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from threadpoolctl import ThreadpoolController

_TURN = threading.Lock()


@contextmanager
def one_thread() -> Iterator[None]:
    """Within it BLAS has one thread, afterwards as many as before.

    One caller at a time limits the process: another that enters and leaves beside it neither changes the limit nor
    takes it for what was before.
    """
    if not _TURN.acquire(blocking=False):
        yield
        return
    try:
        with _controller().limit(limits=1, user_api="blas"):
            yield
    finally:
        _TURN.release()


@cache
def _controller() -> ThreadpoolController:
    """Return what knows the BLAS libraries that are loaded: numpy's, which spaCy has imported by then."""
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()
