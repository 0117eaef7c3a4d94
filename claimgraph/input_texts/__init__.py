"""Read what users give: texts, files in several formats, folders, patterns, standard input and addresses.

Begin with `sources.py`, which turns an argument into documents. Bad input gets one clear line.
"""

from claimgraph.input_texts.documents import SUFFIXES, document_from_text, parse_since, read_file
from claimgraph.input_texts.sources import read_argument, read_contexts, text_files

__all__ = [
    "SUFFIXES",
    "document_from_text",
    "parse_since",
    "read_argument",
    "read_contexts",
    "read_file",
    "text_files",
]
