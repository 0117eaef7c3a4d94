"""What several tests share of check printing."""

from __future__ import annotations

from datetime import UTC, datetime

from claimgraph.kgstore.model import (
    Citation,
    Claim,
    Document,
    Evidence,
    Outcome,
    Report,
    Run,
    Signal,
    Span,
    Stance,
    Status,
    Verdict,
)  # fmt: skip

WORST = (Outcome.REFUTED, Outcome.NOT_ENOUGH_INFO, Outcome.SUPPORTED)


STANCES = dict(zip(WORST, (Stance.REFUTES, Stance.NEUTRAL, Stance.SUPPORTS), strict=True))


def report(*outcomes: Outcome, gap: str = " ") -> Report:
    """A report with a sentence of some ninety characters an outcome, each checked against a line of its own."""
    names = [f"The mine number {n} of the northern company opened in {1800 + n}, and it closed for good later"
             for n in range(len(outcomes))]  # fmt: skip
    text = gap.join(f"{name}." for name in names)
    spans = [Span(at := text.index(name), at + len(name)) for name in names]
    lines = [
        f"Mine {n} of the company opened in {1700 + n}, as was written down by its owner." for n in range(len(names))
    ]
    context = Document("k", "\n".join(lines), "notes.txt")
    claims, verdicts = [], []
    for n, (outcome, span) in enumerate(zip(outcomes, spans, strict=True)):
        start = context.text.index(lines[n])
        piece = Evidence(f"e{n}", lines[n], "notes.txt", document="k", span=Span(start, start + len(lines[n])))
        reason = f"The text says {1800 + n}; notes.txt says {1700 + n}: “{lines[n]}”"
        claims.append(
            Claim(f"c1:{n}", "d", f"Mine {n}", "opened in", str(1800 + n), "", span, statement=f"{names[n]}.")
        )
        cites, signals = (Citation(piece, STANCES[outcome], 0.9),), (Signal("fused", "refuted", 0.25),)
        verdicts.append(Verdict(f"v{n}", f"c1:{n}", outcome, Status.COMPLETE, "fused", reason, 0.5 + n / 100,
                                citations=cites, signals=signals))  # fmt: skip
    run = Run("r", "fused", "{}", datetime.now(UTC))
    sentences = tuple(Span(span.start, span.end + 1) for span in spans)
    document = Document("d1:0123456789", text, "draft.txt")
    return Report(document, sentences, tuple(claims), tuple(verdicts), run, 1.0, contexts=(context,))
