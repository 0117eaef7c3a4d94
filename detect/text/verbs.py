"""Lists of verbs that grammar alone does not tell apart."""

from __future__ import annotations

from claimgraph.detect.text.words import words

MOVING = words(
    """
    advise allow appoint ask cause elect enable encourage expect force get help invite keep lead leave let make
    name need order permit persuade prevent prompt require see send spot teach tell urge want warn
    """
)
"""Verbs whose object does what the infinitive after it says: "asked her to leave"."""
SAID = words(
    """
    accuse add admit advise allege announce anticipate argue ask assert assume assure believe caution claim comment
    complain conclude consider contend declare demand deny describe dispute doubt estimate expect explain fear feel
    forecast guess hint hold hop hope hypothesise hypothesize imagine imply insist joke maintain note object observe
    plan predict promise propose question quote recall recommend remark reply report request respond rule rumour rumor
    say speculate state stress suggest suppose suspect tell think threaten urge view warn wonder worry wish write
    """
)
"""Verbs that put what follows them forward as somebody's words or thoughts, not as a fact; "hop" is what the lemmatizer
takes "hoped" for."""
FRAMING = (SAID - words("ask recommend hold plan object")) | words(
    """
    agree appear confirm decide discover emerge find hear indicate know learn mean read reveal see seem show sign tweet
    turn understand
    """
)
"""Verbs that follow a whole clause they speak of: "the ship had sunk, it emerged"."""
INTRANSITIVE = words(
    """
    appear arise arrive become begin belong come continue depart die disappear emerge exist fall fail flow flourish go
    graduate grow happen last lie live occur participate persist proceed reappear remain reside resign rest retire
    return rise run serve sink sleep specialise specialize stay succeed survive travel vanish volunteer work
    """
)
"""Verbs that a passive hardly ever has: "was elected in 1990 and served until 1994" says nothing of "was served"."""
EFFECTS = words("add allow bring cause cost cut explain help lead let make mean reduce save show suggest")
"""Verbs of what follows from a whole clause: "It lost a wheel, which means"."""
PREPOSITIONAL = words("assume concern consider count depend exclude follow include judge regard speak")
"""Verbs whose participle is used as a preposition: "not counting the tail"."""
