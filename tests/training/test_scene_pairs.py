"""Scenes become pairs whose labels hold, and what is wrong with a scene is told with its line."""

from __future__ import annotations

import re
from calendar import month_name
from fractions import Fraction
from pathlib import Path
from random import Random

import pytest

from training.evened import evened
from training.formulas import computed, holds
from training.pair import LABELS, Pair, read
from training.scene_fill import in_words
from training.scene_names import Names
from training.scene_pairs import filled, main, pairs, scenes

SCENE = """# A comment.
$crop: honey | an [old|young] {animal}
$animal: goat | ox
$n: 20..60
$k: 2..9
$y: 1950..1960
$left = n - k
! n != 10 * k
$p1!f
= {p1} kept {n} colonies near {town1} in {y:year} and bought a {animal}.
= In {month1} {k:words} of them died; {p1.he} told {p2.last} in {month2}.
= The {k:ordinal} death was {p1.his} last; {1000*n} bees were left.
+ {p1.last} was down to {left} colonies. @1,2
- {p1.last} still had all {n} colonies. @1,2
? {p1.He} sold {crop^}.
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "number.txt"
    path.write_text(SCENE, encoding="utf-8")
    return path


def test_slots_are_filled(file: Path) -> None:
    """Numbers agree with each other, pronouns with the person, months with their order, articles with the word."""
    found, errors = scenes([file])
    assert [] == errors
    months = list(month_name)
    for seed in range(30):
        here = filled(found[0], Random(seed))
        first = re.match(
            r"(.+) kept (\d+) colonies near .+ in 19[56]\d and bought (a goat|an ox)\.$", here.sentences[0]
        )
        second = re.match(r"In (\w+) (\w+) of them died; she told \S+ in (\w+)\.$", here.sentences[1])
        third = re.match(r"The (\w+) death was her last; (\d\d),000 bees were left\.$", here.sentences[2])
        assert first
        assert second
        assert third
        assert first[2] == third[2]
        assert months.index(second[1]) < months.index(second[3])
        left = re.search(r"to (\d+) colonies", here.claims[0].text)
        assert left
        assert second[2] == in_words(int(first[2]) - int(left[1]))
        assert re.match(r"She sold (Honey|An old goat|A young goat|An old ox|A young ox)\.$", here.claims[2].text)


def test_a_scene_is_the_same_for_a_seed(file: Path) -> None:
    """And another for another."""
    [scene] = scenes([file])[0]
    assert filled(scene, Random(1)) == filled(scene, Random(1))
    assert filled(scene, Random(1)) != filled(scene, Random(2))


@pytest.mark.parametrize(
    ("old", "new", "line", "told"),
    [
        ("{town1}", "{town6}", 10, "no variable 'town6'"),
        ("{p1.his}", "{p1.hers}", 12, "a person has no 'hers'"),
        ("! n != 10 * k", "! n < k", 2, "the conditions never hold"),
        ("! n != 10 * k", "! n != m", 2, "no variable 'm'"),
        ("colonies. @1,2\n-", "colonies. @1,4\n-", 13, "there are 3 sentences only"),
        ("? {p1.He} sold {crop^}.\n", "", 2, "no claim with ?"),
        ("colonies. @1,2\n-", "colonies.\n-", 13, "a claim with + or -"),
        ("[old|young]", "[old|young", 15, "is left over"),
        ("{1000*n}", "{n/7}", 12, "more than two decimals"),
        ("$k: 2..9", "$k 2..9", 5, "a variable is"),
        ("# A comment.", "A comment.", 1, "a line begins with"),
    ],
)
def test_errors_are_told(file: Path, old: str, new: str, line: int, told: str) -> None:
    """With the line of the claim or variable, or where the scene begins."""
    assert old in SCENE
    file.write_text(SCENE.replace(old, new), encoding="utf-8")
    found, [error] = scenes([file])
    assert [] == found
    assert error.startswith(f"{file}:{line}: ")
    assert told in error


def test_the_command_fails_where_a_scene_does(
    file: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """One bad scene of two."""
    file.write_text(SCENE + "\n= Too short.\n", encoding="utf-8")
    monkeypatch.setattr("sys.argv", ["", "--check", str(file)])
    with pytest.raises(SystemExit) as ended:
        main()
    assert 1 == ended.value.code
    assert "1 scenes are well formed, 1 are not" in capsys.readouterr().out


def test_labels_follow_what_is_left_of_the_context(file: Path) -> None:
    """Without the sentences it needs a claim is neutral; with them it keeps its label, whatever stands beside them."""
    other = "= {p1} sings in {town1}.\n= {p1.He} is loud.\n+ {p1} sings. @1\n- {p1} is quiet. @2\n? {p1} is old.\n"
    file.write_text(f"{SCENE}\n{other}", encoding="utf-8")
    found = scenes([file])[0]
    made = [pair for seed in range(60) for pair in pairs(found, Random(seed)) if "kept" in pair.document]
    assert {"scene-number"} == {pair.source for pair in made}
    lost = [pair for pair in made if "colonies" in pair.hypothesis and "colonies" not in pair.premise]
    assert lost
    assert {"neutral"} == {pair.label for pair in lost}
    kept = {pair.label for pair in made if "down to" in pair.hypothesis and " kept " in pair.premise}
    assert {"entailment"} == kept
    assert any("bees" not in pair.premise for pair in made if pair.label == "contradiction")


def test_of_an_article_a_passage_is_read(file: Path) -> None:
    """The needed sentences and the nearest others, in the text's order; never all of it."""
    others = "".join(f"= The {word} mill stands beside {word} road.\n" for word in ("old", "new", "red", "dry", "low"))
    file.write_text(
        f"= Ann runs the tall mill.\n{others}= It was sold to Bob in May.\n"
        "+ Bob bought the tall mill. @1,7\n- Ann sells no red mill. @1\n? The low mill stands on a hill.\n"
    )
    [scene], errors = scenes([file])
    assert [] == errors
    for seed in range(20):
        both, _, near = (pair.premise for pair in pairs([scene], Random(seed)))
        assert both.startswith("Ann runs")
        assert both.endswith("in May.")
        assert "The low mill" in near
        assert 2 <= near.count(".") <= 6


def test_articles_are_those_of_the_text(file: Path) -> None:
    """A capital at the beginning is an article, after a word a part of a name."""
    file.write_text(
        "= A {a} slept; an {b} did too.\n= They left Hoi An soon.\n+ A {a}. @1\n- An {b}. @1\n? A.\n"
        + "$a: ox\n$b: cat\n"
    )
    [scene], errors = scenes([file])
    assert [] == errors
    here = filled(scene, Random(0))
    assert ("An ox slept; a cat did too.", "They left Hoi An soon.") == here.sentences
    assert ["An ox.", "A cat."] == [claim.text for claim in here.claims[:2]]


def test_held_out_scenes_are_never_trained_on(file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not even as what stands beside another's context."""
    made = [
        SCENE.replace("bees", f"bees of kind {word}") for word in (in_words(n).replace(" ", "-") for n in range(40))
    ]
    file.write_text("\n".join(made), encoding="utf-8")
    monkeypatch.setattr("sys.argv", ["", "--scenes", str(file), "--out", str(tmp_path / "new"), "--fillings", "2"])
    main()
    train, held = (read(tmp_path / "new" / f"{name}.jsonl.gz") for name in ("scenes", "scenes-held"))
    assert train
    assert held
    kinds = [{kind for pair in some for kind in re.findall(r"kind (\S+)", pair.premise)} for some in (train, held)]
    assert not kinds[0] & kinds[1]


def test_formulas_are_exact() -> None:
    """Whole division, decimals, chains of comparisons."""
    known = {"n": Fraction(7), "word": "x"}
    assert Fraction(3) == computed("n // 2", known)
    assert Fraction("2.1") == computed("0.3 * n", known)
    assert holds("1 < n <= 7 and word != 'y'", known)
    assert not holds("word == 'y'", known)
    with pytest.raises(ValueError, match="no number"):
        computed("word + 1", known)
    with pytest.raises(ValueError, match="cannot be computed"):
        computed("n ** 9", known)


def test_names_are_not_given_twice() -> None:
    """While there are others."""
    names = Names(Random(0))
    for kind in ("town", "org", "school", "product", "river"):
        found = [names.of(kind) for _ in range(5)]
        assert 5 == len(set(found))
    assert {"f"} == {names.person("f").gender for _ in range(20)}


def test_claims_that_tell_their_label_are_thinned() -> None:
    """Where "not" always means contradiction and all other words nothing, fewer of those are kept."""
    labels = {"Ann does not sing.": "contradiction", "Ann sings.": "entailment", "Ann sang.": "neutral"}
    told = [Pair("x", claim, label, "s", str(n)) for n in range(300) for claim, label in labels.items()]
    even = [Pair("x", "Bob paints.", label, "s", str(n)) for n in range(300) for label in LABELS]
    kept = evened([*told, *even], Random(0))
    assert kept == evened([*told, *even], Random(0))
    share = len([pair for pair in kept if pair.hypothesis == "Bob paints."]) / len(even)
    assert share > 0.95
    assert len(kept) - share * len(even) < 0.85 * len(told)
