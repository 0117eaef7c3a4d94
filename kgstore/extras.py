"""Define the optional parts of an installation: the modules of each extra, and the error where they are missing.

A plain install checks, asks and queries. Everything else names its extra here, and requires it before it imports.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib.util import find_spec

from claimgraph.kgstore.errors import MissingExtra


@dataclass(frozen=True, slots=True)
class Extra:
    """The use of an extra, and the modules by which it is recognised."""

    use: str
    modules: tuple[str, ...]


EXTRAS = {
    "eval": Extra("measuring, fitting and drawing", ("sklearn", "scipy", "matplotlib", "bayes_opt", "rouge_score")),
    "workers": Extra("many documents on a broker", ("celery", "redis", "prometheus_client")),
    "web": Extra("the web page and the HTTP API", ("fastapi", "fastapi_swagger", "uvicorn", "prometheus_client")),
    "documents": Extra("texts of PDF and Word files", ("pypdf", "docx")),
    "export": Extra(
        "verdicts as RDF, GraphML and data frames, and pictures", ("rdflib", "networkx", "pandas", "resvg_py")
    ),
    "parquet": Extra("verdicts as Parquet", ("pyarrow",)),
    "sealing": Extra("backups sealed with a key", ("cryptography",)),
    "mcp": Extra("claimgraph as tools of an assistant", ("mcp",)),
    "sparql": Extra("facts from Wikidata, DBpedia and other endpoints", ("SPARQLWrapper",)),
    "torch": Extra("models of a hub, and BERT and MPNet classifiers without a graph", ("torch", "transformers")),
    "grakel": Extra("the second kernel backend", ("grakel",)),
    "py2neo": Extra("stored graphs and verdicts in py2neo scripts", ("py2neo",)),
}


def require(name: str, *modules: str) -> None:
    """Raise MissingExtra unless the modules, or else all those of the extra of that name, can be imported."""
    if missing(name, *modules):
        raise MissingExtra(name, EXTRAS[name].use)


def missing(name: str, *modules: str) -> list[str]:
    """Return which of the modules, or else of the extra's, are not installed. Imports none of them."""
    return [module for module in modules or EXTRAS[name].modules if find_spec(module) is None]
