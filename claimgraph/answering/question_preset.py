"""Name the two ways in which facts are found for a question: ours, and OKGQA's as published.

Published: PageRank along the facts' direction within two hops prunes, cosines alone earn the k = 10 prizes, and the
facts retrieved are the context, best first, as many as its tokens hold. Ours prunes by a local push without directions,
keeps all facts of the named entities, and lets the wording of the question count (docs/quality/questions.md).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from claimgraph.kgstore.errors import InputError
from claimgraph.retrieval.subgraph.prizes import PRESETS as RETRIEVAL
from claimgraph.retrieval.subgraph.prizes import RetrievalPreset
from claimgraph.retrieval.subgraph.prune import LOCAL, OKGQA_DIRECTED, PruningPreset


@dataclass(frozen=True, slots=True)
class QuestionPreset:
    """`published`: pruned facts and cosines as they are. `tokens` bounds the text of the facts that answer, None not at
    all.
    """

    name: str
    retrieval: RetrievalPreset
    pruning: PruningPreset = LOCAL
    published: bool = False
    tokens: int | None = None


OURS = QuestionPreset("ours", RetrievalPreset(k=50, triplets=50))
"""OKGQA's k of 10 loses answers of relations of which a hub has thousands of facts."""
OKGQA = QuestionPreset("okgqa", RETRIEVAL["okgqa"], OKGQA_DIRECTED, published=True, tokens=2452)
"""2,452 tokens are what the paper's pruning leaves of a question's graph on average."""
PRESETS: Mapping[str, QuestionPreset] = {preset.name: preset for preset in (OURS, OKGQA)}


def question_preset(name: str) -> QuestionPreset:
    """Return the preset of that name. Raises InputError."""
    if name not in PRESETS:
        raise InputError(f"no preset {name!r} for questions; there are {', '.join(PRESETS)}")
    return PRESETS[name]
