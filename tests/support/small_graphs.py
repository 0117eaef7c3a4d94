"""What several tests share of ppr."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from claimgraph.kgstore.arrays.graph import GraphArrays


def graph_of(edges: list[tuple[int, int]], nodes: int) -> GraphArrays:
    """Facts between numbered nodes, all of one relation."""
    ends = np.array(edges, dtype=np.int32).reshape(-1, 2)
    return GraphArrays(
        "v",
        [f"x:{i:06}" for i in range(nodes)],
        [f"thing {i}" for i in range(nodes)],
        [f"f1:{i:06}" for i in range(len(edges))],
        ends[:, 0],
        np.zeros(len(edges), np.int32),
        ends[:, 1],
        ["x:p"],
        ["near"],
    )


@st.composite
def questions(draw: st.DrawFn) -> tuple[GraphArrays, list[int]]:
    """A small multigraph, with loops and nodes without facts, and one to three seeds."""
    nodes = draw(st.integers(1, 8))
    node = st.integers(0, nodes - 1)
    edges = draw(st.lists(st.tuples(node, node), max_size=20))
    return graph_of(edges, nodes), draw(st.lists(node, min_size=1, max_size=3, unique=True))
