"""What is known of graph relations: which have one value, which read the same from both ends, which are mistaken for
which, and how Freebase's and DBpedia's are said."""

from __future__ import annotations

import re

ONE_VALUE = frozenset(
    {"date of birth", "date of death", "place of birth", "place of death", "father", "mother", "capital", "inception"}
)
"""Another value contradicts."""
SYMMETRIC = frozenset(
    re.split(
        r"[|\n]",
        """\
spouse|sibling|unmarried partner|diplomatic relation|shares border with|twinned administrative body
relative|related|adjoins|sister station|neighboring municipality|associated band
associated musical artist|different from|partner|neighbouring municipality|route junction|peers
friend|participant|participant of|conflict""",
    )
)
INVERSE = {
    "follows": "followed by",
    "part of": "has part",
    "located in the administrative territorial entity": "contains administrative territorial entity",
    "subsidiary": "parent organization",
    "capital": "capital of",
    "replaces": "replaced by",
    "notable work": "author",
    "previous work": "subsequent work",
    "predecessor": "successor",
}
INVERSE |= {there: here for here, there in INVERSE.items() if here != "notable work"}
NESTED = frozenset(
    re.split(
        r"[|\n]",
        """\
located in the administrative territorial entity|contains administrative territorial entity|country
part of|has part|continent|location|located in|located in or next to body of water|basin country
located on terrain feature|applies to jurisdiction|country of citizenship|country of origin
member of|participant|participant of|residence|present in work|characters|conflict|contains
is part of|city|region|state|religion|ethnic group|languages spoken, written or signed|work location
instance of|subclass of|notable work|creator|owned by""",
    )
)
"""Of which a text or graph leaves many unsaid, as one place lies in another: no other value from the same text."""
_CONFUSED = """
date of birth ~ date of death
place of birth ~ place of death
place of birth ~ educated at
father ~ spouse
father ~ sibling
mother ~ spouse
mother ~ child
child ~ spouse
child ~ sibling
sibling ~ father
sibling ~ child
spouse ~ sibling
spouse ~ father
spouse ~ child
director ~ composer
director ~ cast member
screenwriter ~ cast member
producer ~ cast member
composer ~ director
performer ~ producer
cast member ~ director
cast member ~ screenwriter
cast member ~ composer
author ~ publisher
author ~ characters
characters ~ author
follows ~ followed by
followed by ~ follows
start time ~ end time
inception ~ dissolved, abolished or demolished
dissolved, abolished or demolished ~ inception
head of government ~ founded by
developer ~ publisher
publisher ~ developer
employer ~ founded by
educated at ~ place of death
educated at ~ place of birth
place of death ~ place of birth
date of death ~ date of birth
capital ~ twinned administrative body
league ~ award received
military branch ~ educated at
member of sports team ~ educated at
parent organization ~ subsidiary
subsidiary ~ parent organization
has part ~ part of
part of ~ has part
military rank ~ award received
voice type ~ instrument
constellation ~ named after
original language of film or TV show ~ country of origin
founded by ~ parent organization
member of political party ~ founded by
headquarters location ~ place of death
cause of death ~ field of work
place of burial ~ place of birth
instrument ~ genre
occupation ~ award received
birth place ~ death place
death place ~ birth place
starring ~ director
director ~ music composer
previous work ~ subsequent work
subsequent work ~ previous work
predecessor ~ successor
successor ~ predecessor
"""


def confused(relation: str) -> list[str]:
    """Relations with ends of the same kinds, of which none follows from it."""
    return [there for here, there in re.findall(r"(.+) ~ (.+)", _CONFUSED) if here == relation]


UNCLEAR = frozenset({"applies to jurisdiction", "territory claimed by", "separated from", "has part", "work location"})
"""Relations whose ends nobody would put into one sentence so."""
CUES = {
    "occupation": r"\b(?:is|was) (?:an?|the|one of) [^.]*TAIL",
    "country of citizenship": r"\b(?:is|was) (?:an?|the) (?:\w+[ -]){0,2}TAIL",
    "genre": r"\b(?:is|was|are|were) [^.]*TAIL",
    "educated at": r"\b(?:studied|educated|graduated|attended|degree|alumn|doctorate|Ph\.?D)\w*\b[^.]*TAIL",
    "place of birth": r"\b(?:[Bb]orn|native of)\b[^.;)]*TAIL",
    "place of death": r"\bdied\b[^.;)]*TAIL",
    "cause of death": r"\b(?:died|death|killed|suffered)\b[^.]*TAIL",
    "employer": r"\b(?:professor|taught|worked|lecturer|joined|faculty)\b[^.]*TAIL",
    "member of political party": r"\b(?:member|leader|party|politician|candidate|chair\w*|represent\w*)\b[^.]*TAIL",
    "record label": r"\b(?:signed|label|released|records?|Records)\b[^.]*TAIL",
    "spouse": r"\b(?:married|wife|husband|marriage|divorced)\b[^.]*TAIL",
    "sibling": r"\b(?:brother|sister|sibling)s?\b[^.]*TAIL",
    "child": r"\b(?:father|mother|son|daughter|child|parent)(?:s|ren)? (?:of|,|is|was)\b[^.]*TAIL",
    "official language": r"\bofficial (?:\w+ )?languages?\b[^.]*TAIL|TAIL[^.]*\bofficial (?:\w+ )?languages?\b",
    "headquarters location": r"\b(?:headquarter\w*|based|seat)\b[^.]*TAIL",
    "founded by": r"\b(?:founded|established|created) by\b[^.]*TAIL",
    "director": r"\bdirected by\b[^.]*TAIL",
    "cast member": r"\b(?:stars?|starring|featur\w+|cast)\b[^.]*TAIL",
    "member of": r"\b(?:members?|joined|fellow)\b[^.]*TAIL",
    "influenced by": r"\binfluence[ds]?\b[^.]*\bby\b[^.]*TAIL",
    "religion": r"\b(?:is|was|converted|practi[cs]ing|devout)\b[^.]*TAIL",
    "residence": r"\b(?:lives?|lived|resides?|residing|moved)\b[^.]*TAIL",
    "continent": r"\b(?:in|on|of)\b[^.]*TAIL",
    "diplomatic relation": r"\bdiplomatic\b[^.]*TAIL",
}
"""What a sentence must say, before or after the tail, for a relation to be taken as stated."""
DEMONYMS = {
    "United States of America": "American",
    "United Kingdom": "British",
    "France": "French",
    "Germany": "German",
    "Italy": "Italian",
    "Spain": "Spanish",
    "Canada": "Canadian",
    "Australia": "Australian",
    "Japan": "Japanese",
    "India": "Indian",
    "Sweden": "Swedish",
    "Norway": "Norwegian",
    "Denmark": "Danish",
    "Poland": "Polish",
    "Hungary": "Hungarian",
    "Austria": "Austrian",
    "Russia": "Russian",
    "Ireland": "Irish",
    "Brazil": "Brazilian",
    "Mexico": "Mexican",
    "Netherlands": "Dutch",
    "Switzerland": "Swiss",
    "Belgium": "Belgian",
    "Greece": "Greek",
    "Turkey": "Turkish",
    "People's Republic of China": "Chinese",
}

_FREEBASE = {
    "/people/person/profession": "profession",
    "/people/person/nationality": "nationality",
    "/people/person/place_of_birth": "place of birth",
    "/people/deceased_person/place_of_death": "place of death",
    "/people/deceased_person/place_of_burial": "place of burial",
    "/people/person/religion": "religion",
    "/people/person/languages": "languages spoken",
    "/film/film/genre": "genre",
    "/film/film/language": "language",
    "/film/film/country": "country of origin",
    "/film/film/production_companies": "production company",
    "/film/film/produced_by": "producer",
    "/film/film/music": "composer",
    "/film/film/written_by": "screenwriter",
    "/film/film/cinematography": "director of photography",
    "/film/film/edited_by": "film editor",
    "/film/film/prequel": "follows",
    "/film/film/featured_film_locations": "filming location",
    "/film/director/film": "director of",
    "/film/actor/film./film/performance/film": "acted in",
    "/award/award_winner/awards_won./award/award_honor/award_winner": "won an award together with",
    "/award/award_nominee/award_nominations./award/award_nomination/award": "was nominated for",
    "/tv/tv_program/genre": "genre",
    "/tv/tv_program/country_of_origin": "country of origin",
    "/tv/tv_program/program_creator": "creator",
    "/music/record_label/artist": "record label of",
    "/music/artist/origin": "place of origin",
    "/location/location/contains": "contains",
    "/location/country/capital": "capital",
    "/location/country/official_language": "official language",
    "/location/country/form_of_government": "form of government",
    "/location/location/time_zones": "time zone",
    "/organization/organization/headquarters./location/mailing_address/citytown": "headquarters location",
    "/organization/organization_founder/organizations_founded": "founder of",
    "/organization/organization/place_founded": "place founded",
    "/education/educational_institution/colors": "school colours",
    "/sports/sports_team/colors": "team colours",
    "/sports/sports_team/sport": "sport",
    "/influence/influence_node/influenced_by": "influenced by",
    "/business/business_operation/industry": "industry",
    "/base/popstra/celebrity/dated./base/popstra/dated/participant": "dated",
    "/people/person/spouse_s./people/marriage/spouse": "spouse",
    "/people/person/sibling_s./people/sibling_relationship/sibling": "sibling",
    "/education/educational_institution/students_graduates./education/education/student": "former student",
    "/people/person/places_lived./people/place_lived/location": "residence",
    "/people/person/employment_history./business/employment_tenure/company": "employer",
    "/medicine/disease/risk_factors": "risk factor",
    "/medicine/symptom/symptom_of": "symptom of",
}
_RENAMED = {
    "located in the administrative terroritorial entity": "located in the administrative territorial entity",
    "languages spoken, written, or signed": "languages spoken, written or signed",
}
SYMMETRIC |= {"dated", "won an award together with"}


def said(relation: str) -> str | None:
    """Freebase's paths and DBpedia's names in words, others as they are; None for a path that nobody says."""
    if relation.startswith("/"):
        return _FREEBASE.get(relation)
    if relation in _RENAMED:
        return _RENAMED[relation]
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", relation).lower() if re.fullmatch(r"[a-zA-Z]+", relation) else relation
