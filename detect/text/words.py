"""Compare words: content words cut to a stem, proper names, negation, and what tells the gender of a person.

Words are compared beside embeddings, since embeddings hardly separate "Paris" from "Rome" or "won" from "did not win".
spaCy was rejected here: evidence may be thousands of facts and sentences, and no parse of them is needed. The list of
first names is short on purpose: a name that is not here has an unknown gender, which agrees with every pronoun and is
settled by the first one bound to it. Census lists were rejected: thousands of rare names that contradict each other.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import cache, lru_cache
from importlib.resources import files

_TOKEN = re.compile(r"[^\W_]+(?:[.'’-][^\W_]+)*")
_STOP = frozenset(
    re.findall(
        r"\S+",
        "a an the this that these those some any each every all both such other same own and or but nor so yet if then "
        "than as of in on at by for from to into onto with within about over under after before during through between "
        "against among around up down out off again also just only very too more most less least much many few i you "
        "he she it we they me him her us them my your his its our their mine yours hers ours theirs who whom whose "
        "which what when where why how there here is am are was were be been being do does did done doing have has had "
        "having will would shall should can could may might must not no never s t re ve ll d m while because until "
        "since himself herself itself themselves myself one via per said says say told",
    )
)
_NEGATION = re.compile(
    r"\b(?:not|never|no(?!\s*[,.!?])|none|nobody|nothing|neither|nor|without|cannot)\b|n['’]t\b|\bn't", re.IGNORECASE
)
_FORMS = """
win won|lose lost|leave left|buy bought|sell sold|make made|take took taken|give gave given|write wrote written
find found|hold held|lead led|meet met|become became|begin began begun|die died dead death|bear born birth birthplace
build built|send sent|spend spent|run ran|rise rose risen|fall fell fallen|grow grew grown|know knew known
show shown|see saw seen|speak spoke spoken|break broke broken|get got gotten|go went gone|come came|keep kept
bring brought|teach taught|think thought|fight fought|catch caught|shoot shot|steal stole stolen|drive drove driven
draw drew drawn|fly flew flown|choose chose chosen|man men|woman women|child children|person people|marry marriage
discover discovery discoverer|invent invention inventor|direct director|compose composer
"""
_IRREGULAR = {form: row.split()[0] for row in re.split(r"[|\n]", _FORMS.strip()) for form in row.split()[1:]}
_ENDINGS = (("ies", "y"), ("ied", "y"), ("sses", "ss"), ("ing", ""), ("ed", ""), ("es", ""), ("s", ""), ("ly", ""))


def tokens(text: str) -> Iterator[re.Match[str]]:
    """Yield the words of a text: letters and digits, with inner dots, hyphens and apostrophes."""
    return _TOKEN.finditer(text)


@lru_cache(maxsize=65536)
def folded(text: str) -> str:
    """Return the text in lower case without accents, words joined by single spaces, for comparing names."""
    plain = "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))
    return " ".join(word[0].replace("’", "'").removesuffix("'s").lower() for word in tokens(plain))


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """Return a word without accents, case and common endings: "Wrote" -> "write", "cities" -> "city", "visited" ->
    "visit".
    """
    word = folded(word)
    word = _IRREGULAR.get(word, word)
    for ending, instead in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3 and not word.endswith("ss"):
            word = word[: -len(ending)] + instead
            break
    if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "sl":
        word = word[:-1]
    return word.removesuffix("e") if len(word) > 3 else word


@lru_cache(maxsize=65536)
def content(text: str) -> tuple[str, ...]:
    """Return the stems of the words that carry meaning, in order, repeats kept."""
    return tuple(stem(m[0]) for m in tokens(text) if m[0].lower() not in _STOP)


@lru_cache(maxsize=65536)
def names(text: str) -> tuple[str, ...]:
    """Return the stems of the words written as names: with a capital letter, but no stop word."""
    return tuple(stem(m[0]) for m in tokens(text) if m[0][0].isupper() and m[0].lower() not in _STOP)


def is_name(text: str) -> bool:
    """Return whether all content words of a phrase are written as a name: "Marie Curie", "the University of Paris"."""
    found = content(text)
    return bool(found) and len(names(text)) == len(found)


def negated(text: str) -> bool:
    """Return whether the text is negated: an odd number of negating words."""
    return len(_NEGATION.findall(text)) % 2 == 1


def affirmed(text: str) -> str:
    """Return the text without its negating words."""
    return " ".join(_NEGATION.sub(" ", text).split())


def is_country(text: str) -> bool:
    """Return whether the text is the name of a country, a constituent country, a US state or a continent."""
    return folded(text).removeprefix("the ") in _countries()


@cache
def _countries() -> frozenset[str]:
    lines = (files("claimgraph.detect") / "data" / "countries.txt").read_text(encoding="utf-8").splitlines()
    return frozenset(map(folded, lines))


def same_name(a: str, b: str) -> bool:
    """Return whether two names can denote one entity: equal, or one is the other without words at either end.

    "Curie" and "Marie Curie", "the Louvre" and "Louvre"; not "Marie Curie" and "Pierre Curie", and not "Paris" and
    "University of Paris", which "of" connects. Initials count as their words: "M. Curie".
    """
    x, y = folded(a).split(), folded(b).split()
    x, y = [w for w in x if w not in ("the", "a", "an")], [w for w in y if w not in ("the", "a", "an")]
    short, long = sorted((x, y), key=len)
    if not short:
        return False
    last = len(long) - len(short)
    cut = (long[len(short) :], long[:last])
    return any(
        all(map(_same_word, short, long[start:])) and _STOP.isdisjoint(left_out)
        for start, left_out in zip((0, last), cut, strict=True)
    )


def _same_word(a: str, b: str) -> bool:
    a, b = a.replace(".", ""), b.replace(".", "")
    return a == b or stem(a) == stem(b) or (min(len(a), len(b)) == 1 and a[0] == b[0])


def words(text: str) -> frozenset[str]:
    """Return the words of a list written as a text."""
    return frozenset(text.split())


MALE = words(
    """
    aaron adam adrian alan albert alejandro alexander alfred ali andré andrew andy anthony antonio arthur
    barack barry ben benjamin bernard bernie bill billy bob bobby boris brad brandon brian bruce bryan carl carlos
    charles charlie christian christopher clarence colin craig dale dan daniel danny dave david dean dennis
    derek diego dmitri donald doug douglas duncan dwight ed eddie edgar edmund eduard edward elon emmanuel eric
    ernest eugene fernando francis francisco frank franklin fred frederick friedrich gareth gary gavin geoff
    geoffrey george gerald gerard giovanni giuseppe gordon graham greg gregory hans harold harry heinrich henri
    henry herbert howard hugh hugo ian igor isaac ivan jack jacob jacques jake jamal james jason javier jean jeff
    jeffrey jeremy jerry jesse jim jimmy joe joel johann john johnny jon jonathan jorge josé joseph josh
    joshua juan julian karl keith ken kenneth kevin kyle lance larry lars lawrence leo leon leonard leonardo lewis
    lionel louis luca lucas luis luke manuel marc marcel marco marcus mario mark martin marvin matt matthew maurice
    max michael michel miguel mike mohammad mohamed muhammad nathan neil nelson nicholas nick nicolas nigel noah
    norman oliver omar oscar otto owen patrick paul pablo pedro peter phil philip philippe pierre rafael ralph
    randy raymond ricardo richard rick rob robert roberto rodney roger roland ronald ronnie roy russell ryan
    samuel scott sean sebastian sergei seth simon stanley stefan stephen steve steven stuart ted theodore
    thomas tim timothy todd tom tommy tony travis trevor tyler ulrich victor vincent vladimir walt walter warren
    wayne wilhelm william willie winston wolfgang xavier yuri zachary
    """
)
FEMALE = words(
    """
    abigail ada agatha agnes alexandra alice alicia alison amanda amelia amy angela angelina anita ann anna
    anne annie audrey barbara beatrice bella bertha beth betty beverly beyoncé brenda brigitte camilla carla carmen
    carol caroline carolyn catherine cecilia charlotte cheryl chloe christina christine cindy claire clara claudia
    cleopatra cristina cynthia daisy daniela deborah debra denise diana diane dolores donna dora doris dorothy
    edith eileen elaine eleanor elena elisabeth eliza elizabeth ella ellen emily emma erica esther eva eve evelyn
    fiona florence frances frida gabriela geraldine gertrude gina gloria grace greta gwen hannah harriet hazel
    heather heidi helen helena hillary ida ingrid irene iris isabel isabella ivy jacqueline jane janet janice jean
    jennifer jessica jill joan joanna josephine joyce judith judy julia julie karen kate katherine kathleen kathryn
    katie kylie lara laura lauren leah lily linda lisa louise lucia lucy luisa lydia madonna maggie
    malala margaret maria marie marilyn marina marlene martha mary matilda maureen maya megan melania melissa
    mercedes meryl mia michelle mildred miranda molly monica nancy naomi natalia natalie nicole nina nora olga
    olivia oprah pamela patricia paula pauline penelope phyllis priscilla rachel rebecca regina renée rita rosa
    rose rosemary ruth sally samantha sandra sara sarah serena sharon sheila shirley simone sofia sonia sophia
    sophie stella stephanie sue susan suzanne sylvia tanya teresa theresa tina ursula vanessa vera veronica
    victoria viola virginia vivian wanda wendy yoko yvonne zoe
    """
)
MALE_NOUNS = words(
    """
    mr sir lord king prince duke emperor father son brother husband uncle nephew grandfather grandson boy man actor
    businessman spokesman chairman congressman priest monk gentleman boyfriend widower policeman fireman bishop
    pope sportsman cardinal baron
    """
)
FEMALE_NOUNS = words(
    """
    mrs ms miss lady dame queen princess duchess empress mother daughter sister wife aunt niece grandmother
    granddaughter girl woman actress businesswoman spokeswoman chairwoman congresswoman nun waitress girlfriend
    widow policewoman baroness sportswoman heroine goddess
    """
)
PERSON_NOUNS = words(
    """
    person child baby teenager adult doctor dr president minister senator governor mayor judge lawyer officer
    captain coach player footballer striker midfielder defender goalkeeper star champion leader head chief director
    manager founder author artist student teacher professor scientist physicist chemist mathematician philosopher
    historian poet novelist musician politician journalist critic victim suspect witness parent patient nurse
    soldier general commander colonel hero member candidate citizen resident friend partner colleague boss worker
    employee customer owner guest host fan guy kid pilot driver chef athlete cricketer cyclist swimmer boxer
    celebrity spokesperson presenter model singer songwriter composer architect engineer economist executive
    councillor councilor inspector legend namesake teammate mate keeper activist comedian referee adviser advisor
    secretary attorney negotiator commissioner ambassador treasurer dean rapper guitarist drummer
    """
)
GROUP_NOUNS = words(
    """
    company firm club team band group organisation organization party government council committee agency bank
    airline university school army police court union family couple crew staff board association ministry
    department
    """
)


def gender_of(word: str) -> str | None:
    """Return "m" or "f" for a first name, title or noun that shows it, in any case; None otherwise and for both."""
    key = word.casefold().rstrip(".")
    male = key in MALE or key in MALE_NOUNS
    female = key in FEMALE or key in FEMALE_NOUNS
    return None if male == female else "m" if male else "f"


_PERSON_ENDS = re.compile(r"(?:..er|or|ist|man|woman|person|ian|ant|ee|mate|ess)$")


def names_person(word: str) -> bool:
    """Return whether a word names a person where it stands before or after a name: by the lists, or by its ending."""
    last = word.casefold().rsplit("-", 1)[-1]
    return is_person_noun(last) or _PERSON_ENDS.search(last) is not None


def is_person_noun(lemma: str) -> bool:
    """Return whether a common noun names a person."""
    key = lemma.casefold()
    return key in PERSON_NOUNS or key in MALE_NOUNS or key in FEMALE_NOUNS
