"""Every setting that is declared: what it takes, what it refuses, and with which words."""

from dataclasses import dataclass

import pytest

from mcts_cluster.games.game_settings import SETTINGS
from mcts_cluster.jobs.compatibility import CLASSES
from mcts_cluster.jobs.job import GAME, HEAD
from mcts_cluster.players.mcts import BANDIT
from mcts_cluster.settings.assignment import assignment
from mcts_cluster.settings.declaration import KINDS, REQUIRED, Setting, declared, setting
from mcts_cluster.settings.table import Mistakes, Table
from mcts_cluster.settings.words import closest, dotted, number, shown

OF_CLASSES = [one for cls in CLASSES for one in declared(cls)]
ALL = [*HEAD, GAME, BANDIT, *OF_CLASSES, *(one for of in SETTINGS.values() for one in of)]
NUMBERS = [one for one in ALL if one.kind in (int, float)]


def read(one, value):
    """Return what a setting makes of a value, and the lines that are said of it."""
    mistakes = Mistakes()
    table = Table({one.key: value}, (), mistakes)
    return table.take(one), mistakes.lines


def complaints(one, value):
    return read(one, value)[1]


def key_of(one):
    return one.key


# All settings


@pytest.mark.parametrize("one", ALL, ids=key_of)
def test_a_setting_says_what_it_means(one):
    assert one.meaning
    assert one.kind in (bool, int, float, str)
    if one.kind in (int, float):
        assert one.least is not None and one.most is not None and one.least < one.most


@pytest.mark.parametrize("one", ALL, ids=key_of)
def test_the_default_is_allowed_or_means_that_nothing_is_set(one):
    if one.default is not REQUIRED and any(one.mistakes(one.default)):
        # Of a number out of range, 0.
        assert one.default == 0 and not one.zero


@pytest.mark.parametrize("one", NUMBERS, ids=key_of)
def test_the_ends_of_a_range_are_allowed_and_what_lies_beyond_is_not(one):
    for end in (one.least, one.most):
        assert complaints(one, [one.kind(end)] if one.listed == "list" else one.kind(end)) == []
    step = one.step or (1 if one.kind is int else 1e-6 * (one.least or 1))
    for value, word in ((one.least - step, "small"), (one.most + max(step, 1), "large")):
        if value == 0 and one.zero:
            continue
        [line] = complaints(one, value)
        assert line.startswith(f"{one.key}: {shown(value)} is too {word}, must be at ")


FITTING = {bool: (bool,), int: (int,), float: (int, float), str: (str,)}
VALUES = [True, 3, 1.5, "word", [], [[]], {}, None, float("nan"), 10**400]


@pytest.mark.parametrize("one", [one for one in ALL if not one.listed], ids=key_of)
def test_what_is_of_another_kind_is_refused_with_the_right_one(one):
    wrong = [value for value in VALUES if type(value) not in FITTING[one.kind]]

    assert len(wrong) >= 6
    for value in wrong:
        assert complaints(one, value) == [f"{one.key}: {shown(value)} must be {KINDS[one.kind]}"]


@pytest.mark.parametrize("one", [one for one in ALL if one.allowed], ids=key_of)
def test_what_is_no_choice_is_refused_with_the_nearest(one):
    meant = one.allowed[0]
    wrong = [f"{meant}x"] if one.listed else f"{meant}x"

    [line] = complaints(one, wrong)

    where = f"{one.key}.0" if one.listed else one.key
    assert line.startswith(f'{where}: "{meant}x" is unknown; did you mean "')


@pytest.mark.parametrize("one", [one for one in ALL if one.kind is str], ids=key_of)
def test_a_text_that_no_file_can_hold_is_refused(one):
    for text in ("a\0b", "\udc80"):
        assert complaints(one, [text] if one.listed else text)


# The reader


@dataclass(frozen=True, kw_only=True)
class Boat:
    """Something to declare."""

    sails: int = setting(1, least=0, most=4, meaning="how many")
    length: float = setting(least=1, most=100, meaning="in metres")
    ropes: tuple[int, ...] = setting(
        2, key="lines", listed="or list", least=1, most=9, meaning="on each side"
    )


def boat(**values):
    mistakes = Mistakes()
    table = Table(values, ("boat", "a.b"), mistakes)
    found = table.read(declared(Boat))
    table.finish()
    return found, mistakes.lines


def test_a_declaration_is_the_default_of_the_field_too():
    assert Boat(length=3.0) == Boat(sails=1, length=3.0, ropes=(2,))
    with pytest.raises(TypeError):
        Boat()


def test_values_are_those_of_fields():
    assert boat(length=3, lines=[1, 2]) == (
        {"sails": 1, "length": 3.0, "ropes": (1, 2)},
        [],
    )
    found, _ = boat(length=3)
    assert type(found["length"]) is float


def test_all_mistakes_are_told_by_their_paths():
    _, lines = boat(sails=5, lines=[1, 0, "2"], mast=1)

    assert lines == [
        'boat."a.b".sails: 5 is too large, must be at most 4',
        'boat."a.b".length: missing, must be a number',
        'boat."a.b".lines.1: 0 is too small, must be at least 1',
        'boat."a.b".lines.2: "2" must be a whole number',
        'boat."a.b".mast: unknown key; known are sails, length, lines',
    ]


def test_after_a_mistake_reading_goes_on_with_the_default():
    found, _ = boat(sails="many", length=3)

    assert found["sails"] == 1


def test_what_follows_from_a_mistake_is_not_told():
    mistakes = Mistakes()
    mistakes.add(("match", 0), "first")
    mistakes.add(("match", 0, "games"), "follows")
    mistakes.add(("match", 1, "games"), "does not")
    mistakes.add(("matches",), "does not either")

    assert list(mistakes.found.values()) == ["first", "does not", "does not either"]


# Words


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (10**9, "10^9"),
        (1e9, "10^9"),
        (1e-9, "10^-9"),
        (100_000, "10^5"),
        (10_000, "10000"),
        (60_000, "60000"),
        (0.001, "0.001"),
        (0.0, "0"),
        (2.5, "2.5"),
        (-1000, "-1000"),
    ],
)
def test_limits_are_written_shortly(value, text):
    assert number(value) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (True, "true"),
        ("a\x1b", r'"a\u001b"'),
        ([True, "é"], '[true, "é"]'),
        (float("inf"), "inf"),
        (10**5000, "a value beyond all measure"),
        ("x" * 100, f'"{"x" * 56}...'),
    ],
    ids=range(6),
)
def test_values_are_shown_as_in_toml(value, text):
    assert shown(value) == text


def test_paths_are_read_as_they_are_written():
    for path in [("a", "b-c"), ("a.b", 'say "x"', "é"), ("match", "0", "games"), ("", "tab\t")]:
        assert assignment(f"{dotted(path)}=1") == (path, 1)


def test_the_nearest_word_is_found_in_any_case():
    assert closest("Go", ["go", "havannah"]) == "go"
    assert closest("chess", ["go", "havannah"]) == ""


def test_a_setting_whose_choices_come_later_asks_for_them():
    names = []
    one = Setting(key="x", kind=str, choices=lambda: names, meaning="m")
    names.append("late")

    assert one.allowed == ("late",)
