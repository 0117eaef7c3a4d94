"""A little of Wikidata about offices and those who held them, as its query service has it. Hand-made.

Statements are rows (item, property, value, rank, start, end, point in time, ordinal); years stand for whole dates.
"""

from __future__ import annotations

from pathlib import Path

NAMES = {
    "Q183": "Germany", "Q567": "Angela Merkel", "Q2518": "Helmut Kohl", "Q2530": "Gerhard Schröder",
    "Q61053": "Olaf Scholz", "Q4970706": "Chancellor of Germany", "Q585": "Oslo", "Q20": "Norway",
    "Q7186": "Marie Curie", "Q37463": "Pierre Curie", "Q270": "Warsaw", "Q36": "Poland", "Q90": "Paris",
    "Q142": "France", "Q621": "Versailles", "Q2640": "Hamburg", "Q46": "Europe", "Q76": "Barack Obama",
    "Q11696": "President of the United States", "Q23": "George Washington", "Q65": "Los Angeles",
}  # fmt: skip
PROPERTIES = {
    "P6": ("head of government", "WikibaseItem"), "P39": ("position held", "WikibaseItem"),
    "P1082": ("population", "Quantity"), "P26": ("spouse", "WikibaseItem"), "P570": ("date of death", "Time"),
    "P19": ("place of birth", "WikibaseItem"), "P17": ("country", "WikibaseItem"), "P36": ("capital", "WikibaseItem"),
    "P30": ("continent", "WikibaseItem"), "P569": ("date of birth", "Time"),
}  # fmt: skip
STATEMENTS = [
    ("Q183", "P6", "Q2518", "Normal", "1982-10-01", "1998-10-27", "", ""),
    ("Q183", "P6", "Q2530", "Normal", "1998-10-27", "2005-11-22", "", ""),
    ("Q183", "P6", "Q567", "Normal", "2005-11-22", "2021-12-08", "", ""),
    ("Q183", "P6", "Q61053", "Preferred", "2021-12-08", "", "", ""),
    ("Q567", "P39", "Q4970706", "Normal", "2005-11-22", "2021-12-08", "", ""),
    ("Q567", "P19", "Q2640", "Normal", "", "", "", ""),
    ("Q567", "P19", "Q65", "Deprecated", "", "", "", ""),
    ("Q567", "P569", "1954-07-17", "Normal", "", "", "", ""),
    ("Q2518", "P569", "1930-04-03", "Normal", "", "", "", ""),
    ("Q76", "P39", "Q11696", "Normal", "2009-01-20", "2017-01-20", "", "44"),
    ("Q23", "P39", "Q11696", "Normal", "1789-04-30", "1797-03-04", "", "1"),
    ("Q585", "P1082", "+580000", "Normal", "", "", "2010", ""),
    ("Q585", "P1082", "+697010", "Preferred", "", "", "2020", ""),
    ("Q585", "P17", "Q20", "Normal", "", "", "", ""),
    ("Q7186", "P26", "Q37463", "Normal", "1895-07-26", "1906-04-19", "", ""),
    ("Q7186", "P19", "Q270", "Normal", "", "", "", ""),
    ("Q37463", "P570", "1906-04-19", "Normal", "", "", "", ""),
    ("Q270", "P17", "Q36", "Normal", "", "", "", ""),
    ("Q2640", "P17", "Q183", "Normal", "", "", "", ""),
    ("Q183", "P30", "Q46", "Normal", "", "", "", ""),
    ("Q142", "P36", "Q90", "Preferred", "", "", "", ""),
    ("Q142", "P36", "Q621", "Normal", "1682", "1789", "", ""),
]


def turtle(statements: list[tuple[str, ...]] | None = None) -> str:
    """The world as Turtle in the shape of the query service."""
    prefixes = (Path(__file__).parents[1] / "recorded" / "world_wikidata.ttl").read_text(encoding="utf-8").splitlines()
    lines = [line for line in prefixes if line.startswith("@prefix")]
    lines += [f'wd:{item} rdfs:label "{name}"@en ; wikibase:sitelinks 9 .' for item, name in NAMES.items()]
    for key, (name, kind) in PROPERTIES.items():
        lines.append(
            f"wd:{key} wikibase:claim p:{key} ; wikibase:statementProperty ps:{key} ; "
            f"wikibase:statementValue psv:{key} ; wikibase:novalue wdno:{key} ; "
            f'wikibase:propertyType wikibase:{kind} ; rdfs:label "{name}"@en .'
        )
    for row, statement in enumerate(STATEMENTS if statements is None else statements):
        lines += _statement(f"wds:s{row}", *statement)
    return "\n".join(lines)


def _statement(
    node: str, item: str, key: str, value: str, rank: str, start: str, end: str, point: str, nth: str
) -> list[str]:
    lines = [f"wd:{item} p:{key} {node} .", f"{node} wikibase:rank wikibase:{rank}Rank ."]
    if value.startswith("Q"):
        lines.append(f"{node} ps:{key} wd:{value} .")
    elif value.startswith("+"):
        amount = f'"{value}"^^xsd:decimal'
        lines.append(f"{node} ps:{key} {amount} ; psv:{key} [ wikibase:quantityUnit wd:Q199 ] .")
    else:
        lines.append(f"{node} ps:{key} {_time(value)} ; psv:{key} [ {_deep(value)} ] .")
    for qualifier, said in (("P580", start), ("P582", end), ("P585", point)):
        if said:
            lines.append(f"{node} pq:{qualifier} {_time(said)} ; pqv:{qualifier} [ {_deep(said)} ] .")
    return [*lines, *([f'{node} pq:P1545 "{nth}" .'] if nth else [])]


def _time(said: str) -> str:
    return f'"{said if len(said) > 4 else said + "-01-01"}T00:00:00Z"^^xsd:dateTime'


def _deep(said: str) -> str:
    calendar = "wikibase:timeCalendarModel wd:Q1985727"
    return f"wikibase:timeValue {_time(said)} ; wikibase:timePrecision {11 if len(said) > 4 else 9} ; {calendar}"
