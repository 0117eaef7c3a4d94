"""Which clauses a text puts forward as facts, and which of them are statements of their own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from claimgraph.detect.extraction.clauses import own_subject
from claimgraph.detect.text.syntax import (
    CLAUSES,
    OBJECTS,
    RELATIVE,
    after_comma,
    alternative,
    gapped,
    is_alternative,
    is_order,
    is_verb,
    semicolon,
    voice_unclear,
)
from claimgraph.detect.text.verbs import EFFECTS, PREPOSITIONAL, SAID

if TYPE_CHECKING:
    from spacy.tokens import Token

OPEN = frozenset({"if", "whether", "unless", "lest", "than"})
"""Words after which nothing is put forward."""
_CONDITIONS = frozenset({"provided", "providing", "assuming", "supposing"})
"""Participles that put what follows under a condition."""
_WHEN = frozenset({"when", "once", "until", "till", "before", "after", "as", "while", "whenever"})
_LASTING = frozenset({"last", "remain", "stay", "continue"})
_WHENEVER = frozenset({"when", "whenever", "once", "until", "till"})
SEQUENCE = frozenset({"after", "before", "since", "upon", "on", "when", "while"})
_TIMES = frozenset({"after", "before", "since", "until", "during", "from", "in", "on"})
_DIRECTIONS = frozenset({"north", "south", "east", "west", "home", "abroad", "upstairs", "downstairs"})
_UNSURE = frozenset({"clear", "unclear", "known", "unknown", "certain", "uncertain", "sure"})
_ONLY_THOUGHT = frozenset(
    {"motion", "proposal", "idea", "hope", "aim", "claim", "theory", "question", "fear", "belief"}
)
"""Nouns of which "was that" gives what somebody wants or thinks."""
_TURNS_TO = frozenset({"know", "see", "like", "want", "wish"})
_SEEN = frozenset({"see", "know", "expect", "notice", "discover", "find", "learn", "hear"})
_LETTING = frozenset({"let", "make", "help", "have"})
"""Verbs whose object does what the infinitive without "to" after it says."""
_PRO_VERBS = frozenset({"be", "do", "have", "can", "will", "must", "may", "should"})
_TALES = frozenset({"story", "legend", "tale", "rumour", "rumor"})
"""Subjects of a clause that says whose words the rest is."""
_ARTICLES = frozenset({"a", "an", "the", "this", "that", "these", "those"})


def _happens(verb: Token) -> bool:
    """Whether its subject does what a verb says: it is no passive, and nothing that only can or shall be done."""
    return not any(child.dep_ == "auxpass" for child in verb.children) and not _is_ahead(verb)


def _is_ahead(verb: Token) -> bool:
    """Whether a verb has a modal auxiliary or is an infinitive, also by way of the verb that it depends on."""
    if any(child.tag_ in {"MD", "TO"} for child in verb.children if child.dep_ == "aux"):
        return True
    return (
        verb.tag_ in {"VB", "VBG"}
        and verb.dep_ in {"xcomp", "ccomp", "conj"}
        and is_verb(verb.head)
        and _is_ahead(verb.head)
    )


def follows_clause(verb: Token) -> bool:
    """Whether a participle follows another clause on a noun that has no verb: the parser took a verb of the past for
    it, as in "The line, which was shut, reopened"."""
    alone = verb.dep_ == "acl" and verb.head.dep_ == "ROOT" and not is_verb(verb.head)
    return alone and any(other.dep_ in {"relcl", "acl"} and other.i < verb.i for other in verb.head.children)


def asserted(verb: Token) -> bool:
    """Whether the text puts a clause forward: it is not under a condition or question, no infinitive under a noun or
    verb, not somebody's words ("X said that"), and does not tell which of many things a noun means."""
    if any(holds(verb) for holds in _NOT_PUT_FORWARD):
        return False
    if verb.dep_ == "conj" and is_verb(verb.head):
        if own_subject(verb) is None:
            return asserted(verb.head) and not alternative(verb) and not voice_unclear(verb)
        if quoted(verb) and verb.head.lemma_ in SAID and not quoted(verb.head):
            return False
    if verb.dep_ == "pcomp" and (verb.head.lower_ not in SEQUENCE | {"by"} or not _happens(verb.head.head)):
        return False
    if (verb.i and verb.nbor(-1).lower_ == "than") or _lost_verb(verb) or _never_came(verb):
        return False
    if any(child.dep_ == "conj" and is_verb(child) and alternative(child) for child in verb.children):
        return False
    bare = verb.tag_ == "VB" and not any(child.dep_ in {"aux", "auxpass"} for child in verb.children)
    infinitive = bare or any(child.tag_ == "TO" for child in verb.children)
    if infinitive and verb.dep_ in {"ccomp", "xcomp", "acl", "relcl", "csubj", "advcl", "pcomp"}:
        return False
    if verb.dep_ in {"relcl", "acl"} and not tells(verb):
        return False
    return not any(_open(token) for token in (verb, *verb.ancestors) if is_verb(token))


def _is_that_clause(verb: Token) -> bool:
    """Whether a clause with "that" is a subject, which another clause may call a mistake or an excuse, or goes on a
    relative clause: "a step that cost jobs and that the union calls hasty"."""
    that = _opens_with_that(verb)
    joined = verb.dep_ == "conj" and (verb.head.dep_ == "relcl" or _is_clause_alone(verb))
    inside = verb.dep_ == "ccomp" and verb.head.dep_ == "conj" and _opens_with_that(verb.head)
    return (that and (verb.dep_ in {"csubj", "csubjpass"} or joined)) or (inside and _is_clause_alone(verb.head))


def _opens_with_that(verb: Token) -> bool:
    return any(child.dep_ == "mark" and child.lower_ == "that" for child in verb.children)


def _is_clause_alone(verb: Token) -> bool:
    """Whether "that" opens a clause which goes on no other with "that": "and that anyone pays is not claimed"."""
    return not _opens_with_that(verb.head) and verb.head.lemma_ not in SAID


def _is_interjected(verb: Token) -> bool:
    """Whether a clause only turns to the reader: "as you know", "you see", "as often as you like"."""
    subject = own_subject(verb)
    full = any(child.dep_ in {"dobj", "ccomp", "xcomp", "prep"} for child in verb.children)
    return subject is not None and subject.lower_ == "you" and verb.lemma_ in _TURNS_TO and not full


def _after_nor(verb: Token) -> bool:
    """Whether "nor" or "neither" denies a clause that says nothing of it by itself: "nor could sailors tell", "and
    neither did they"; or "so" says it of another: "and so do students"."""
    denied = any(child.lower_ == "neither" and child.i == verb.left_edge.i for child in verb.children)
    if verb.dep_ == "conj" and verb.i > 1 and verb.lemma_ in _PRO_VERBS and verb.nbor(-1).lower_ == "so":
        return verb.nbor(-2).lower_ == "and"
    starts = (one.left_edge.i for one in (verb, *verb.ancestors) if is_verb(one))
    if any(start > verb.sent.start and verb.doc[start - 1].lower_ == "nor" for start in starts):
        return True
    return verb.dep_ == "conj" and (denied or any(c.lower_ == "nor" and c.i < verb.i for c in verb.head.children))


def _only_announces(verb: Token) -> bool:
    """Whether a clause only says that something follows: "and here is what it changes"; or was joined to a clause
    before a place that it tells of: "he was poor, and went to Rome, where most were poor"."""
    here = verb.lemma_ == "be" and any(c.lower_ == "here" and c.i < verb.i for c in verb.children)
    if verb.dep_ != "conj" or own_subject(verb) is not None:
        return here
    return here or any(t.lower_ == "where" and t.nbor(-1).text == "," for t in verb.doc[verb.head.i + 1 : verb.i])


def _follows_order(verb: Token) -> bool:
    """Whether a clause says what comes of doing what the one before asks for: "Hand it in late and you lose"."""
    order = verb.head
    joint = verb.dep_ == "conj" and any(c.dep_ == "cc" and c.i < verb.i for c in order.children)
    return joint and is_order(order) and order.dep_ in {"ROOT", "conj", "ccomp"} and own_subject(verb) is not None


def _of_which(verb: Token) -> bool:
    """Whether the subject of a clause that is taken for no relative one is a part of a noun before it: "fewer than half
    of whom work full-time"; or its verb is what something is compared with: "as fast as it runs"."""
    subject = own_subject(verb)
    of = [t for t in subject.subtree if t.head.lower_ == "of"] if subject is not None else []
    parted = any(token.lower_ in {"whom", "which"} for token in of)
    compared = verb.dep_ == "advcl" and verb.head.tag_ in {"RB", "JJ", "NN", "NNS"}
    return (parted and verb.dep_ != "relcl") or (compared and any(c.lower_ == "as" for c in verb.children))


def _times_restriction(verb: Token) -> bool:
    """Whether a clause of time or condition belongs to one that tells which thing is meant: "a crash that occurred when
    tables were pasted"."""
    around = verb.head
    return verb.dep_ == "advcl" and around.dep_ == "relcl" and verb.i > around.i and not after_comma(around)


def _is_preposition(verb: Token) -> bool:
    """Whether a participle is used as a preposition, "not counting the tail", or goes on a list, "followed by"."""
    listing = verb.lower_ == "followed" and any(child.dep_ == "agent" for child in verb.children)
    if listing and verb.dep_ in {"acl", "advcl"} and after_comma(verb):
        return True
    return verb.dep_ == "advcl" and verb.tag_ == "VBG" and verb.lemma_ in PREPOSITIONAL and own_subject(verb) is None


def _never_came(verb: Token) -> bool:
    """Whether a clause of time says what may not have happened, or that nothing else counts: "before he could be
    treated", "only while it is in use"."""
    marks = [c for c in verb.children if c.dep_ == "mark" or c.tag_ == "WRB"]
    able = any(c.tag_ == "MD" and c.dep_ == "aux" for c in verb.children)
    only = any(mark.i and mark.nbor(-1).lower_ == "only" for mark in marks)
    only = only or verb.head.lower_ == "long"  # "as long as"
    return verb.dep_ == "advcl" and (only or (able and any(mark.lower_ == "before" for mark in marks)))


def _is_source(verb: Token) -> bool:
    """Whether a clause only says whose words the rest is: "as she noted with a smile", "as the story goes"."""
    if verb.dep_ != "advcl" or not any(c.dep_ == "mark" and c.lower_ == "as" for c in verb.children):
        return False
    last = next((c for c in verb.children if c.dep_ == "xcomp"), verb)
    full = any(c.dep_ in {"dobj", "ccomp", "xcomp", "auxpass"} for c in last.children)
    told = own_subject(verb)
    made_up = last.lemma_ == "make" and any(c.dep_ == "prt" and c.lower_ == "up" for c in last.children)
    says = last.lemma_ in SAID | _SEEN or (told is not None and told.lemma_ in _TALES)
    return made_up or (says and not full)


def _lost_verb(verb: Token) -> bool:
    """Whether a verb was taken for that of a clause of time whose noun is the subject of the sentence: "Pain after the
    run was milder"."""
    marked = any(c.dep_ == "mark" and c.lower_ in _WHEN for c in verb.children)
    return (
        verb.dep_ == "advcl" and marked and verb.head.dep_ == "ROOT" and verb.head.i < verb.i and not is_verb(verb.head)
    )


def _is_elliptic(verb: Token) -> bool:
    """Whether a verb stands for one that was said before: "and it did", "as it had done since May"."""
    as_before = verb.dep_ == "advcl" and any(child.dep_ == "mark" and child.lower_ == "as" for child in verb.children)
    return verb.lemma_ == "do" and (
        as_before or not any(c.dep_ in OBJECTS | CLAUSES | {"prep", "xcomp"} for c in verb.children)
    )


def _looks_ahead(verb: Token) -> bool:
    """Whether a clause tells when something will or may be, or is each time: "it will employ 600 people when it reaches
    capacity", "it is done when a skewer comes out clean"."""
    opening = {child.lower_ for child in verb.children if child.dep_ in {"advmod", "mark"}} & _WHEN
    if verb.dep_ != "advcl" or not opening:
        return False
    ended = bool(opening & {"until", "till", "once"})
    helping = {"auxpass", "aux"} if ended else {"auxpass"}
    present = any(t.tag_ in {"VBZ", "VBP"} and (t is verb or t.dep_ in helping) for t in (verb, *verb.children))
    if verb.lemma_ in _LASTING and "while" in opening and present:
        return True
    ahead = verb.head.tag_ == "MD" or _is_ahead(verb.head) or is_order(verb.head)
    return ahead or (present and bool(opening & (_WHENEVER | {"before", "after"})))


def _hangs_loose(verb: Token) -> bool:
    """Whether a participle at the end of a clause may belong to its subject or to a noun after the verb, "the library
    holds 40,000 books, opened in 2018", belongs to a noun before, "According to the letter, seen by us, he left", or is
    a condition: "Adjusted for inflation, sales would have risen"."""
    marked = any(child.dep_ == "mark" or child.tag_ == "WRB" for child in verb.children)
    if verb.dep_ != "advcl" or verb.tag_ != "VBN" or own_subject(verb) is not None or marked:
        return False
    if verb.i > verb.head.i:
        return any(t.tag_.startswith("NN") for t in verb.doc[verb.head.i : verb.i])
    if any(child.lower_ in {"would", "could", "might"} for child in verb.head.children if child.dep_ == "aux"):
        return True
    if verb.i < verb.sent.start + 2 or verb.nbor(-1).text != ",":
        return False
    noun = verb.nbor(-2)
    return noun.tag_.startswith("NN") and noun.ent_type_ not in {"DATE", "TIME"} and noun.dep_ == "pobj"


def _is_sign(verb: Token) -> bool:
    """Whether a clause says what something would be a sign of: "Pink streaks mean that it has spoiled"."""
    frame = verb.head
    present = frame.lemma_ == "show" and frame.tag_ in {"VBZ", "VBP"}
    return verb.dep_ == "ccomp" and verb.i > frame.i and (present or frame.lemma_ in {"mean", "indicate", "signal"})


def _is_denied(verb: Token) -> bool:
    """Whether a clause is what somebody did not see, say or mean, or has done by others: "he never saw it finished",
    "have it checked", "let them have bread"."""
    if verb.dep_ == "ccomp" and verb.tag_ in {"VBN", "VBD"} and verb.head.lemma_ in {"have", "get"}:
        return True
    if verb.dep_ == "ccomp" and verb.head.lemma_ in _LETTING and verb.lower_ == verb.lemma_ and verb.i > verb.head.i:
        return True
    return verb.dep_ == "ccomp" and verb.i > verb.head.i and any(c.dep_ == "neg" for c in verb.head.children)


def quoted(token: Token) -> bool:
    """Whether a token stands between quotation marks of its sentence."""
    return sum(other.text in {'"', "“", "”"} for other in token.doc[token.sent.start : token.i]) % 2 == 1


def _open(verb: Token) -> bool:
    """Whether a clause is a condition, an indirect question, or what somebody says."""
    first = min((child.i for child in verb.children if child.dep_ != "punct"), default=verb.i)
    for child in verb.children:
        if child.dep_ == "mark" and child.lower_ in OPEN:
            return True
        if verb.dep_ == "advcl" and child.dep_ in {"aux", "auxpass"} and child.i == first and own_subject(verb):
            return True
    asks = any(
        token.tag_ in {"WRB", "WP", "WDT"} and token.i < verb.i
        for child in verb.children
        for token in (child, *child.children)
    )
    if verb.lower_ in _CONDITIONS and any(child.dep_ == "ccomp" for child in verb.children):
        return True
    if asks and verb.i > verb.head.i and any(c.lower_ in _UNSURE for c in verb.head.children if c.dep_ == "acomp"):
        return True
    if asks and (verb.dep_ in {"csubj", "csubjpass"} or _is_complement(verb)):
        return True
    if verb.dep_ not in {"ccomp", "pcomp"}:
        return False
    parted = semicolon(verb, verb.head) or semicolon(verb.head, verb)
    judged = verb.head.tag_ == "JJ" or (verb.head.lemma_ == "be" and any(c.dep_ == "acomp" for c in verb.head.children))
    said = judged or verb.head.lemma_ in SAID or _is_thought(verb.head) or _asks(verb.head)
    return asks or (verb.dep_ == "ccomp" and not parted and said)


def _asks(verb: Token) -> bool:
    """Whether a sentence begins with a question's clause, which the parser took for all of it: "Who built it is not
    known"."""
    subject = own_subject(verb)
    return verb.dep_ == "ROOT" and subject is not None and subject.tag_ == "WP" and subject.is_sent_start is True


def _is_complement(verb: Token) -> bool:
    """Whether a clause is what something is: "Sorrel is where most people stay"."""
    be, others = verb.head, [child for child in verb.head.children if child != verb]
    bare = not any(child.dep_ in OBJECTS | {"prep", "expl"} for child in others)
    return verb.dep_ == "advcl" and be.lemma_ == "be" and verb.i > be.i and bare and not after_comma(verb)


def _is_thought(frame: Token) -> bool:
    """Whether a verb frames what somebody wants or has yet to do: "The motion was that", "to ensure that"."""
    subject = own_subject(frame)
    idea = frame.lemma_ == "be" and subject is not None and subject.lemma_ in _ONLY_THOUGHT
    return idea or any(child.tag_ == "TO" for child in frame.children if child.dep_ == "aux")


def stands_alone(verb: Token) -> bool:
    """Whether a relative clause only adds to a noun that is known without it, and there is no doubt which noun.

    A clause without a comma tells which thing is meant ("the only town in which rents fell"): it is no statement of its
    own, and without it the sentence is another one.
    """
    noun, subject = verb.head, own_subject(verb)
    if verb.dep_ != "relcl" or is_verb(noun) or subject is None:
        return False
    if not after_comma(verb) and not (noun.ent_type_ and noun.tag_ in {"NNP", "NNPS"}):
        return False
    begins = subject.lower_ in RELATIVE or any(child.tag_ == "WP$" for child in subject.children)
    return (begins or relative_gap(verb) is not None) and not _doubtful(verb, noun)


def relative_gap(verb: Token) -> Token | None:
    """Return the word that stands for the noun in a relative clause with a subject of its own: "where", or "which" and
    "whom" as object or after a preposition; None for other clauses."""
    subject = own_subject(verb)
    framed = any(child.dep_ == "ccomp" for child in verb.children)
    if verb.dep_ != "relcl" or subject is None or subject.lower_ in RELATIVE or framed:
        return None
    for child in (child for child in verb.children if child.i < subject.left_edge.i):
        if child.lower_ == "where" and child.dep_ == "advmod":
            return child
        if child.dep_ == "dobj" and child.lower_ in RELATIVE:
            return child
        if child.dep_ == "prep" and child.lower_ != "of":
            inner = [one for one in child.children if one.dep_ == "pobj" and one.lower_ in RELATIVE]
            if inner and child.right_edge == inner[0]:
                return inner[0]
    return None


def _doubtful(verb: Token, noun: Token) -> bool:
    """Whether the clause may speak of another noun, as in "a dam at the southern end, which raised the water", or of a
    part of it: "of which 51 are open"."""
    subject = own_subject(verb)
    if is_alternative(noun) or _misses(verb, noun) or any(t.lower_ == "than" for t in noun.ancestors):
        return True
    person = subject is not None and subject.lower_ == "which" and noun.ent_type_ == "PERSON"
    if noun.tag_ in {"IN", "RB"} or verb.lemma_ == "do" or person:
        return True
    listed = any(c.dep_ == "conj" and c.i < verb.i for c in noun.children)
    if listed and (verb.tag_ == "VBZ" or _is_singular(verb)):  # "a daughter and a hare, which is unfinished"
        return True
    if noun.dep_ == "appos" and noun.head.dep_ == "pobj" and noun.head.head.head.tag_.startswith("NN"):
        return True
    if any(t.lower_ in RELATIVE and t.i < verb.i and t.head.lower_ == "of" for t in verb.subtree):
        return True
    if subject is not None and subject.lower_ in RELATIVE and verb.tag_ == "VBZ" and noun.tag_ == "NNS":
        return True
    where = any(t.lower_ == "where" and t.i < verb.i for t in verb.children)
    return noun.dep_ == "pobj" and not where and _may_tell_of_outer(verb, noun, subject)


def _misses(verb: Token, noun: Token) -> bool:
    """Whether "where" or "which" hangs on a noun that it cannot stand for: a person, a direction, a date that it is no
    time of ("came to a settlement in 1980, by which")."""
    gap = relative_gap(verb)
    if gap is None:
        return False
    of_time = gap.dep_ == "pobj" and gap.head.lower_ in _TIMES
    named = noun.ent_type_ == "PERSON" or (noun.head.lower_ == "by" and noun.tag_ == "NNP")
    person = named and gap.lower_ in {"which", "where"}
    away = noun.lower_ in _DIRECTIONS or noun.dep_ in {"advmod", "npadvmod"}
    inside = any(one.dep_ == "relcl" for one in noun.ancestors)  # "a mill that is no longer in use, where"
    away |= gap.dep_ == "pobj" and gap.head.lower_ in {"after", "before"} and noun.dep_ == "pobj" and not noun.ent_type_
    away |= gap.lower_ == "where" and verb.lemma_ == "use" and any(c.dep_ == "xcomp" for c in verb.children)
    away |= gap.lower_ == "where" and noun.tag_ == "NN" and noun.left_edge == noun and inside
    return person or away or (noun.ent_type_ == "DATE" and not of_time)


def _may_tell_of_outer(verb: Token, noun: Token, subject: Token | None) -> bool:
    """Whether a relative clause on a noun after a preposition may speak of what that hangs on."""
    if subject is not None and subject.lower_ == "which" and verb.lemma_ in EFFECTS and is_verb(noun.head.head):
        return True
    other = noun.head.head
    if other.tag_.startswith("NN") and any(c.dep_ == "appos" and noun.i < c.i < verb.i for c in noun.children):
        return True
    if other.tag_ == "NNS" and noun.tag_ in {"NN", "NNP"} and (verb.tag_ == "VBZ" or _is_singular(verb)):
        return False
    if _is_where(noun, subject):
        return True
    if noun.ent_type_ and noun.tag_ == "NNP" and (noun.head.lower_ != "of" or noun.ent_type_ == "PERSON"):
        return False
    return other.tag_.startswith("NN") or any(t.dep_ in {"dobj", "attr"} and t.i < noun.i for t in other.children)


def _is_where(noun: Token, subject: Token | None) -> bool:
    """Return whether a name only says where the thing is that "which" may speak of, too: "the museum at Port Ellen,
    which houses"."""
    other = noun.head.head
    which = subject is not None and subject.lower_ == "which"
    return which and noun.head.lower_ in {"at", "in", "near", "on"} and other.tag_ == "NN" and not other.ent_type_


def _is_singular(verb: Token) -> bool:
    """Whether an auxiliary of a verb is singular."""
    return any(child.dep_ in {"aux", "auxpass"} and child.lower_ in {"is", "was", "has"} for child in verb.children)


def tells(verb: Token) -> bool:
    """Whether a clause on a noun tells something of it; without a comma only of what is one thing: "the study published
    in May", not "all orders placed in May" or "no sign that it moved"."""
    noun = verb.head
    if verb.dep_ == "acl" and _may_be_of_other(verb, noun):
        return False
    if verb.dep_ == "acl" and noun.lemma_ != "fact" and any(child.lower_ == "that" for child in verb.children):
        return False
    if is_verb(noun) or after_comma(verb):
        return not is_verb(noun) and (verb.dep_ == "acl" or not _doubtful(verb, noun))
    if noun.lemma_ in {"way", "manner", "extent", "degree", "those"}:
        return False
    if noun.ent_type_ or noun.dep_ == "attr" or noun.tag_ in {"NNP", "NNPS"}:
        return True
    known = any(c.dep_ == "compound" and c.tag_ == "NNP" for c in noun.children) or any(
        c.lower_ in _ARTICLES or c.dep_ in {"poss", "nummod"} for c in noun.children
    )
    governor = next((a for a in noun.ancestors if is_verb(a)), None)
    return known and not (governor is not None and any(c.dep_ == "neg" for c in governor.children))


def _may_be_of_other(verb: Token, noun: Token) -> bool:
    """Whether a participle may belong to a noun further out, "a book on bees, written in prison", or is the verb of a
    sentence about who says the rest, taken for an apposition: "Rents will fall, the council announced"."""
    if noun.dep_ == "dobj" and after_comma(verb):
        if noun.head.dep_ == "acl" and noun.head.tag_ == "VB":
            return True  # "the proposal to rent a pump, made by Ann"
        if any(c.dep_ == "prep" and noun.i < c.i < verb.i for c in noun.children) and not noun.ent_type_:
            return True  # "She removed the appendix in the schoolroom, guided by a surgeon"
    if noun.dep_ == "appos":
        return any(is_verb(t) and t not in noun.head.subtree for t in noun.doc[noun.head.i : noun.left_edge.i])
    common = noun.tag_ in {"NN", "NNS"} and noun.dep_ == "pobj" and noun.head.lower_ != "of"
    return common and after_comma(verb) and noun.head.head.tag_.startswith("NN")


_NOT_PUT_FORWARD = (
    gapped,
    _is_elliptic,
    _looks_ahead,
    _hangs_loose,
    _is_denied,
    _is_sign,
    _is_preposition,
    _is_source,
    _is_that_clause,
    _is_interjected,
    _after_nor,
    _follows_order,
    _only_announces,
    _times_restriction,
    _of_which,
)
"""What a clause may be that the text does not put forward."""
