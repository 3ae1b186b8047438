"""Success rates against numbers worked out by hand, and the table that shows them."""

from io import StringIO
from math import sqrt

import pytest
from rich.console import Console

from mcts_cluster import table
from mcts_cluster.jobfile import Job, Match
from mcts_cluster.match import Row
from mcts_cluster.table import success

# Points; their mean; the error, from the proportion p after one more win and one more loss.
SUCCESS = [
    ([1], 100, 47.14045),  # p = 2/3: the root of 2/9
    ([0], 0, 47.14045),
    ([0, 0], 0, 30.61862),  # p = 1/4: the root of 3/32
    ([1, 1, 1, 0], 75, 23.57023),  # p = 4/6: the root of 2/36
    ([1, 0.5, 0.5, 0], 50, 25),  # p = 3/6: the root of 1/16
    ([0.5], 50, 50),  # p = 1/2
    ([1] * 50 + [0] * 50, 50, 5),  # p = 1/2: the root of 1/400
    ([1] * 98, 100, 1.00509),  # p = 99/100: the root of 0.0099/98
    ([1] * 63 + [0] * 37, 63, 4.83483),  # p = 64/102: the root of 0.00233756
]


@pytest.mark.parametrize(("points", "mean", "error"), SUCCESS)
def test_success_is_the_mean_and_its_standard_error_in_percent(points, mean, error):
    assert success(points) == pytest.approx((mean, error), rel=1e-5)


@pytest.mark.parametrize("games", [1, 10, 1000])
def test_a_clean_sweep_is_not_called_certain(games):
    _, error = success([1.0] * games)

    assert error == pytest.approx(100 * sqrt((games + 1) / games) / (games + 2))


def shown(job, rows, **console):
    """Return the printed table, blanks at the ends of lines removed."""
    out = StringIO()
    Console(file=out, width=80, **console).print(table.results(job, rows))
    return "\n".join(line.rstrip() for line in out.getvalue().splitlines())


def rows_of(match, points, plies=10):
    return [Row(match, number, p, plies + number, "area") for number, p in enumerate(points)]


def job(*pairs, title="a title"):
    matches = tuple(Match(pair, 4) for pair in pairs)
    return Job(title, 1, "go", {}, {}, matches)


def test_a_table_has_a_line_a_match_in_the_order_of_the_job():
    rows = rows_of("c against a", [1, 1, 1, 0], 60) + rows_of("a against b", [0, 0])

    lines = shown(job(("a", "b"), ("c", "a")), rows)

    assert lines == (
        "a title\n"
        "┏━━━━━━━━━━━━━┳━━━━━━━┳━━━━━━━━━━━━━━━┳━━━━━━━┓\n"
        "┃ match       ┃ games ┃  success rate ┃ plies ┃\n"
        "┡━━━━━━━━━━━━━╇━━━━━━━╇━━━━━━━━━━━━━━━╇━━━━━━━┩\n"
        "│ a against b │     2 │  0.0 ± 30.6 % │    10 │\n"
        "│ c against a │     4 │ 75.0 ± 23.6 % │    62 │\n"
        "└─────────────┴───────┴───────────────┴───────┘"
    )


def test_a_match_without_games_has_no_line_yet():
    lines = shown(job(("a", "b"), ("c", "a")), rows_of("a against b", [1]))

    assert "a against b" in lines
    assert "c against a" not in lines


def test_names_and_titles_are_shown_as_they_are_written():
    pair = ("[bold]", ":smile:")
    title = "a [slow] game [/i] and more"

    lines = shown(job(pair, title=title), rows_of("[bold] against :smile:", [1]))

    assert lines.splitlines()[0] == title
    assert "│ [bold] against :smile: │" in lines


def test_a_terminal_shows_the_title_in_bold():
    lines = shown(job(("a", "b")), rows_of("a against b", [1]), force_terminal=True)

    assert "\x1b[1ma title" in lines
