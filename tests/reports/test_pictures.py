"""Boards and charts in pages: every point where it belongs, and nothing beyond the edge."""

import re
from math import dist
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcts_cluster import games
from mcts_cluster.players import bias_patterns
from mcts_cluster.reports.pictures import boards, charts
from mcts_cluster.reports.pictures.charts import Chart, Point

CSS = Path(boards.__file__).parents[1] / "page" / "page.css"


def elements(svg):
    """Return what a drawing has, without the name space."""
    return list(ElementTree.fromstring(svg).iter())


def of_class(svg, name):
    return [one for one in elements(svg) if one.get("class") == name]


# Boards


@pytest.mark.parametrize("size", [2, 9, 19, 25])
def test_points_of_go_stand_at_their_letters_and_numbers(size):
    core = games.new("go", size=size).core
    board = boards.board_of(core)
    labels = of_class(boards.drawn(board, (), ""), "label")
    columns = {one.text: float(one.get("x")) for one in labels if one.text.isalpha()}
    rows = {one.text: float(one.get("y")) for one in labels if one.text.isdigit()}

    assert len(board.places) == core.points
    for point, (x, y) in board.places.items():
        name = core.name(point)
        assert (columns[name[0]], rows[name[1:]]) == (x, y)


@pytest.mark.parametrize("size", [2, 4, 8])
def test_cells_of_havannah_are_hexagons_side_by_side(size):
    core = games.new("havannah", size=size).core
    board = boards.board_of(core)

    assert set(board.places) == set(core.cells())
    # As the printed board has them: from left to right, line by line.
    lines = {}
    for cell, (x, y) in board.places.items():
        lines.setdefault(y, []).append((x, cell))
    printed = [line.split()[1:] for line in core.draw().splitlines()[1:]]
    cells = [len([mark for mark in line if mark == "."]) for line in printed]
    assert [len(lines[y]) for y in sorted(lines)] == cells
    for place in board.places.values():
        nearest = sorted(dist(place, other) for other in board.places.values())[1:3]
        assert nearest == pytest.approx([1, 1], abs=0.002)


def test_a_position_has_its_stones_and_its_good_moves():
    game = games.new("go", size=5)
    for move in ("A1", "C3", "E5"):
        game.play(move)

    svg = boards.position(game.core, "<words>", [7])

    assert [(one.get("cx"), one.get("cy")) for one in of_class(svg, "black")] == [
        ("0", "4"),
        ("4", "0"),
    ]
    [white] = of_class(svg, "white")
    assert (white.get("cx"), white.get("cy")) == ("2", "2")
    [good] = of_class(svg, "good")
    assert (good.get("cx"), good.get("cy")) == ("2", "3")
    assert ElementTree.fromstring(svg).get("aria-label") == "<words>"


def test_a_pattern_is_drawn_place_by_place_with_what_they_mean():
    [pattern] = bias_patterns.parse("pattern\nstrength = 0.5\nX O S\n. * ?\n# # #\n")

    svg = boards.pattern(pattern)

    rects = [one for one in elements(svg) if one.tag.endswith("rect")]
    assert [one.get("class") for one in rects] == [*["wood"] * 5, "joker", *["off"] * 3]
    assert len(of_class(svg, "black")) == 2 and len(of_class(svg, "good")) == 1
    # The other player's stone, and a half of one of either.
    assert len(of_class(svg, "white")) == 2
    legend = boards.legend([pattern])
    assert all(meaning in legend for meaning in boards.MEANINGS.values())


# Charts


def places(svg):
    """Return all points of the paths of a chart."""
    paths = [one.get("d") for one in elements(svg) if one.tag.endswith("path")]
    numbers = re.findall(r"[-\d.]+", " ".join(paths))
    return [(float(x), float(y)) for x, y in zip(numbers[::2], numbers[1::2], strict=True)]


percents = st.floats(-1000, 1000)
rates = st.lists(st.tuples(st.integers(1, 10**7), percents, percents, percents), min_size=1)


@given(rates, st.lists(st.floats(0, 100), max_size=2))
def test_a_chart_stays_within_its_frame(points, thresholds):
    chart = Chart("a <b>", [Point(*one) for one in sorted(points)], thresholds)

    for x, y in places(charts.svg(chart)):
        assert charts.LEFT <= x <= charts.WIDTH - charts.RIGHT
        assert charts.TOP <= y <= charts.HEIGHT - charts.BOTTOM


def curve(points, part):
    """Return the points of a curve whose games come in parts of so many."""
    found = charts.Curve(len(points))
    for start in range(0, len(points), part):
        found.add(np.array(points[start : start + part]), 0)
    return found.points


def test_rates_are_those_after_each_game_or_after_some_of_many():
    few = curve([1.0, 0.0, 0.5], 3)
    assert [(one.games, one.rate) for one in few] == [(1, 100), (2, 50), (3, 50)]
    assert all(one.low < one.rate <= one.high or one.rate == 100 for one in few)

    many = curve([1.0, 0.0] * 5000, 10_000)
    assert len(many) <= charts.MAX_POINTS
    assert (many[0].games, many[-1].games, many[-1].rate) == (1, 10_000, 50)


@given(st.lists(st.sampled_from([0.0, 0.5, 1.0]), min_size=1, max_size=1000), st.integers(1, 1000))
def test_rates_are_the_same_part_by_part(points, part):
    assert curve(points, part) == curve(points, len(points))


# Colors


def luminance(color):
    parts = [int(color[n : n + 2], 16) / 255 for n in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return sum(share * c for share, c in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


@pytest.mark.parametrize("number", [0, 1, 2], ids=["light", "dark", "printed"])
def test_every_color_of_text_can_be_read_on_the_page(number):
    """By the measure of the Web Content Accessibility Guidelines, level AA."""
    found = re.findall(r":root \{(.*?)\}", CSS.read_text(), flags=re.DOTALL)[number]
    colors = dict(re.findall(r"--([\w-]+): (#\w{6})", found))

    for ground in ("paper", "shade"):
        for name in ("ink", "soft", "blue", "orange", "green", "red", "violet"):
            lights = sorted([luminance(colors[ground]), luminance(colors[name])])
            assert (lights[1] + 0.05) / (lights[0] + 0.05) >= 4.5, (ground, name)
