"""List the public data sets whose texts stand in other sets too, so that figures on them can be read as they are.

Overlaps are exact after normalising. Whoever fits on one of a pair judges on the other in-sample.
"""

from __future__ import annotations

from collections.abc import Mapping

_LEAKS: Mapping[str, str] = {
    "xsum_faith": "27 of its XSum contexts stand in other public XSum sets, qags_xsum's among them",
    "qags_xsum": "13 of its XSum contexts stand in other public XSum sets, xsum_faith's among them",
    "summeval": "16 summaries share an article; 43 of the 48 articles of KEA's SummEval triples are in closed/summeval",
    "covidfact": "384 of its pairs recur in CoVid-SciFact, which entailment models are trained on",
    "cad_snli": "416 of its pairs stand in SNLI, which entailment models are trained on",
    "fever": "its premises stand in its other splits",
}


def leaks(file: str) -> str | None:
    """Return what is known to overlap with the data set of that file name, by the part before the first dot; None of
    others.
    """
    return _LEAKS.get(file.partition(".")[0].casefold())
