"""`claimgraph eval`: the table of measuring commands, each with the example that its help shows."""

from __future__ import annotations

import typer

from claimgraph.cli.measure import (
    calibrate,
    coref,
    correction,
    detection,
    explanation,
    extraction,
    facts,
    judges,
    linking,
    make_questions,
    open_domain,
    open_qa,
    qa,
    retrofit,
    robustness,
)

evaluate = typer.Typer(help="Measure every part on labelled files, and fit it to them.", no_args_is_help=True)
_COMMANDS = (
    (detection.detection, "summeval.jsonl.gz --method all"),
    (extraction.extraction, "carb_dev.jsonl.gz --limit 100"),
    (coref.coref, "gum.jsonl.gz --held-out"),
    (linking.linking, "fewrel.jsonl.gz --graph wikidata --ablation"),
    (facts.facts, "factbench.jsonl.gz --graph wikidata"),
    (open_domain.open_domain, "factbench.jsonl.gz --graph wikidata"),
    (correction.correction, "summeval.jsonl.gz --limit 40"),
    (retrofit.retrofit, "drafts.jsonl --compare"),
    (explanation.explanation, "summeval.jsonl.gz --ratings sheet.csv"),
    (qa.qa, "questions.jsonl --graph wikidata --mode subgraph"),
    (open_qa.open_qa, "questions.jsonl --graph wikidata --mode triplet"),
    (judges.judges, "biographies.jsonl --passages articles/"),
    (robustness.robustness, "questions.jsonl --graph wikidata"),
    (robustness.perturb, "--graph wikidata --mode rs --ratio 0.3"),
    (make_questions.make_questions, "--graph wikidata --n 50"),
    (calibrate.calibrate, "labelled.jsonl --output calibration.json"),
)
for _function, _example in _COMMANDS:
    _name = _function.__name__.replace("_", "-")
    evaluate.command(_name, epilog=f"Example: claimgraph eval {_name} {_example}")(_function)
