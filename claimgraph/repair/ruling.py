"""Store a person's verdict on a claim like any other, with method `human`; it outranks the rest."""

from __future__ import annotations

import json
from datetime import UTC, datetime

from claimgraph.kgstore import identity, reads, records
from claimgraph.kgstore.errors import InputError, NotFound
from claimgraph.kgstore.model import HUMAN, Outcome, Run, Status, Verdict
from claimgraph.kgstore.store import GraphStore


def rule(store: GraphStore, claim: str, outcome: Outcome, note: str) -> Verdict:
    """Store the ruling and make it the claim's current verdict.

    Raises NotFound for an id that is no checked claim, InputError for an empty note: a ruling without a reason helps
    nobody. A ruling that already holds is returned unchanged; one given again after another is a new verdict.
    """
    if not note.strip():
        raise InputError("a ruling needs a note that says why")
    current = reads.load_verdicts(store, [claim])
    if not current:
        raise NotFound("claim", claim)
    if (current[0].method, current[0].outcome, current[0].reason) == (HUMAN, outcome, note):
        return current[0]
    config = json.dumps({"outcome": outcome.value, "note": note}, ensure_ascii=False, sort_keys=True)
    verdict = Verdict(
        id=identity.verdict_id(claim, HUMAN, config, current[0].id),
        claim=claim,
        outcome=outcome,
        status=Status.COMPLETE,
        method=HUMAN,
        reason=note,
    )
    now = datetime.now(UTC)
    run = Run(identity.run_id("rule", HUMAN, config, claim, current[0].id), HUMAN, config, now, now, "complete")
    store.write(*records.verdict_steps(run, (verdict,)))
    return verdict
