"""The table of results."""

from io import StringIO

from rich.console import Console

from mcts_cluster import table
from mcts_cluster.jobfile import Job, Match
from mcts_cluster.match import Row


def shown(job, rows, **console):
    """Return the printed table, blanks at the ends of lines removed."""
    out = StringIO()
    Console(file=out, width=80, **console).print(table.results(job, rows))
    return "\n".join(line.rstrip() for line in out.getvalue().splitlines())


def rows_of(match, points, plies=10):
    return [
        Row(match, number, p, "area", tuple(range(plies + number)))
        for number, p in enumerate(points)
    ]


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
