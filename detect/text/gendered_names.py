"""List words that show the gender and animacy of a person: common first names, titles, kinds of people.

The list is short on purpose: a name that is not here has an unknown gender, which agrees with every pronoun and is
settled by the first one bound to it. Census lists were rejected: thousands of rare names that contradict each other.
"""

from __future__ import annotations


def words(text: str) -> frozenset[str]:
    """Return the words of a list written as a text."""
    return frozenset(text.split())


MALE = words(
    """
    aaron adam adrian alan albert alejandro alex alexander alfred ali andré andrew andy anthony antonio arthur
    barack barry ben benjamin bernard bernie bill billy bob bobby boris brad brandon brian bruce bryan carl carlos
    charles charlie chris christian christopher clarence colin craig dale dan daniel danny dave david dean dennis
    derek diego dmitri donald doug douglas duncan dwight ed eddie edgar edmund eduard edward elon emmanuel eric
    ernest eugene fernando francis francisco frank franklin fred frederick friedrich gareth gary gavin geoff
    geoffrey george gerald gerard giovanni giuseppe gordon graham greg gregory hans harold harry heinrich henri
    henry herbert howard hugh hugo ian igor isaac ivan jack jacob jacques jake jamal james jason javier jean jeff
    jeffrey jeremy jerry jesse jim jimmy joe joel johann john johnny jon jonathan jordan jorge josé joseph josh
    joshua juan julian karl keith ken kenneth kevin kyle lance larry lars lawrence leo leon leonard leonardo lewis
    lionel louis luca lucas luis luke manuel marc marcel marco marcus mario mark martin marvin matt matthew maurice
    max michael michel miguel mike mohammad mohamed muhammad nathan neil nelson nicholas nick nicolas nigel noah
    norman oliver omar oscar otto owen patrick paul pablo pedro peter phil philip philippe pierre rafael ralph
    randy raymond ricardo richard rick rob robert roberto robin rodney roger roland ronald ronnie roy russell ryan
    sam samuel scott sean sebastian sergei seth simon stanley stefan stephen steve steven stuart ted terry theodore
    thomas tim timothy todd tom tommy tony travis trevor tyler ulrich victor vincent vladimir walt walter warren
    wayne wilhelm william willie winston wolfgang xavier yuri zachary
    """
)
FEMALE = words(
    """
    abigail ada agatha agnes alexandra alice alicia alison amanda amelia amy andrea angela angelina anita ann anna
    anne annie audrey barbara beatrice bella bertha beth betty beverly beyoncé brenda brigitte camilla carla carmen
    carol caroline carolyn catherine cecilia charlotte cheryl chloe christina christine cindy claire clara claudia
    cleopatra cristina cynthia daisy daniela deborah debra denise diana diane dolores donna dora doris dorothy
    edith eileen elaine eleanor elena elisabeth eliza elizabeth ella ellen emily emma erica esther eva eve evelyn
    fiona florence frances frida gabriela geraldine gertrude gina gloria grace greta gwen hannah harriet hazel
    heather heidi helen helena hillary ida ingrid irene iris isabel isabella ivy jacqueline jane janet janice jean
    jennifer jessica jill joan joanna josephine joyce judith judy julia julie karen kate katherine kathleen kathryn
    katie kelly kim kylie lara laura lauren leah lily linda lisa louise lucia lucy luisa lydia madonna maggie
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
    celebrity spokesperson presenter model singer songwriter composer architect engineer economist
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


def is_person_noun(lemma: str) -> bool:
    """Return whether a common noun names a person."""
    key = lemma.casefold()
    return key in PERSON_NOUNS or key in MALE_NOUNS or key in FEMALE_NOUNS
