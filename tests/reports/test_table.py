"""The table of results: lines, verdicts against published figures, and its five forms."""

import csv
import io
import json
from dataclasses import replace
from io import StringIO

import pytest
from rich.console import Console

from mcts_cluster.matches.game_record import GameRecord, WorkerInfo
from mcts_cluster.matches.setup import MatchKey
from mcts_cluster.parallel.exchange_stats import NONE, ExchangeStats
from mcts_cluster.published import Figure, campaigns, figures
from mcts_cluster.reports import formats, match_table
from mcts_cluster.reports.match_table import MatchSummary
from mcts_cluster.reports.table import table
from mcts_cluster.storage.results import MatchRecord, Results, RunRecord
from mcts_cluster.storage.writer import Writer


def shown(matches, rows, title="a title", **console):
    """Return the printed table, blanks at the ends of lines removed."""
    out = StringIO()
    results = Results(title, "go", "", "", "{}", matches, tuple(rows))
    Console(file=out, **{"width": 80} | console).print(table(results, "text"))
    return "\n".join(line.rstrip() for line in out.getvalue().splitlines())


def rows_of(match, points, plies=10):
    return [
        GameRecord(match, number, p, "area", tuple(range(plies + number)))
        for number, p in enumerate(points)
    ]


def matches(*pairs, published=""):
    return tuple(MatchRecord(MatchKey(*pair), 4, published) for pair in pairs)


def test_a_table_has_a_line_a_match_in_the_order_of_the_job():
    rows = rows_of(MatchKey("c", "a"), [1, 1, 1, 0], 60) + rows_of(MatchKey("a", "b"), [0, 0])

    lines = shown(matches(("a", "b"), ("c", "a")), rows)

    assert lines.splitlines()[:6] == [
        "a title",
        "┏━━━━━━━━━━━━━┳━━━━━━━┳━━━━━━━━━━━━━━━┳━━━━━━━━━━┳━━━━━━━━━━━━┳━━━━━━━━┓",
        "┃ match       ┃ games ┃  success rate ┃ won–lost ┃        Elo ┃    LOS ┃",
        "┡━━━━━━━━━━━━━╇━━━━━━━╇━━━━━━━━━━━━━━━╇━━━━━━━━━━╇━━━━━━━━━━━━╇━━━━━━━━┩",
        "│ a against b │     2 │  0.0 ± 30.6 % │      0–2 │ under +113 │ 12.5 % │",
        "│ c against a │     4 │ 75.0 ± 23.6 % │      3–1 │ +191 ± 184 │ 81.2 % │",
    ]


def test_a_match_without_games_has_no_line_yet():
    lines = shown(matches(("a", "b"), ("c", "a")), rows_of(MatchKey("a", "b"), [1]))

    assert "a against b" in lines
    assert "c against a" not in lines


def test_void_games_do_not_count_and_are_told():
    rows = rows_of(MatchKey("a", "b"), [1, None, 0, None, 1, 1])

    [line] = match_table.lines(matches(("a", "b")), rows)

    assert (line.games, line.rate, line.void) == (4, 75, 2)
    assert "a against b: 2 void games, which do not count" in shown(matches(("a", "b")), rows)


def test_a_match_of_void_games_only_has_no_line():
    assert match_table.lines(matches(("a", "b")), rows_of(MatchKey("a", "b"), [None])) == []


@pytest.mark.parametrize("form", ["text", "markdown", "latex"])
def test_a_match_of_void_games_only_is_told_with_its_last_mistake(form, tmp_path, capsys):
    from mcts_cluster.__main__ import main

    found = matches(("a", "b"), ("a", "c"), ("b", "c"))
    one, last = rows_of(MatchKey("a", "b"), [None, None])
    rows = (one, replace(last, how="no answer"), *rows_of(MatchKey("a", "c"), [None, 1.0]))
    path = tmp_path / "job.h5"
    results = Results("a title", "go", "", "", "{}", found, rows, (RunRecord(0.0),))
    Writer(path, results).close(0)

    assert main(["table", str(path), "--format", form]) == 0

    told = [line for line in capsys.readouterr().out.splitlines() if "no other" in line]
    assert [line.removeprefix("% ") for line in told] == [
        "a against b: 2 void games, and no other; the last one: no answer"
    ]


def test_games_that_repeat_another_one_are_told():
    # Those of the other colour are other games, whatever the moves.
    rows = [GameRecord(MatchKey("a", "b"), number, 1.0, "area", (1, 2)) for number in range(6)]

    [line] = match_table.lines(matches(("a", "b")), rows)

    assert line.repeats == 4
    assert "4 of 6 games repeat another one" in shown(matches(("a", "b")), rows)


def test_pairs_of_games_tell_of_their_correlation():
    pairing = replace(matches(("a", "b"))[0], opening=2)
    # The tenth game is still to come.
    rows = rows_of(MatchKey("a", "b"), [1, 1, 1, 1, 0, 1, 0, 0, 1])[::-1]

    [line] = match_table.lines([pairing], rows)

    assert (line.pairs, line.correlation) == (4, pytest.approx(0.57735, abs=1e-5))
    found = shown([pairing], rows, width=200)
    assert "games of an opening correlate at +0.58 ± 0.58 (4 pairs)\n" in found + "\n"


def test_pairs_that_correlate_change_the_error_and_that_is_told():
    pairing = replace(matches(("a", "b"))[0], opening=2)
    # 30 pairs are won or lost as a whole, ten are not: (15 · 15 - 5 · 5) / 20² = 1/2.
    rows = rows_of(MatchKey("a", "b"), [1, 1] * 15 + [0, 0] * 15 + [1, 0] * 5 + [0, 1] * 5)

    found = shown([pairing], rows, width=200)

    assert "correlate at +0.50 ± 0.14 (40 pairs), so the error is 1.22 times what is shown" in found


def test_without_openings_there_are_no_pairs():
    rows = rows_of(MatchKey("a", "b"), [1, 1, 1, 1, 0, 1, 0, 0])

    assert "correlate" not in shown(matches(("a", "b")), rows)


def test_names_and_titles_are_shown_as_they_are_written():
    pair = ("[bold]", ":smile:")
    title = "a [slow] game [/i] and more"

    lines = shown(matches(pair), rows_of(MatchKey("[bold]", ":smile:"), [1]), title)

    assert lines.splitlines()[0] == title
    assert "│ [bold] against :smile: │" in lines


def test_a_terminal_shows_the_title_in_bold():
    lines = shown(matches(("a", "b")), rows_of(MatchKey("a", "b"), [1]), force_terminal=True)

    assert "\x1b[1ma title" in lines


# Beside one half


def headings_at(width, found):
    [line] = [line for line in shown(*found, width=width).splitlines() if line.startswith("┃")]
    return [cell.strip() for cell in line.strip("┃").split("┃")]


def test_columns_give_way_one_after_another_on_a_narrow_terminal():
    pair = ("some-exploration", "default")
    found = matches(pair), rows_of(MatchKey(*pair), [1, 0] * 100)
    all_of_them = ["match", "games", "success rate", "95 %", "won–lost", "Elo", "LOS"]

    assert headings_at(140, found) == [*all_of_them, "black / white", "plies"]
    assert headings_at(118, found) == [*all_of_them, "black / white"]
    without = [name for name in all_of_them if name != "95 %"]
    assert headings_at(106, found) == [*without, "black / white"]
    few = ["match", "games", "success rate", "Elo", "LOS"]
    assert headings_at(92, found) == [*few[:3], "won–lost", *few[3:]]
    assert headings_at(80, found) == few


def test_draws_stand_between_won_and_lost_and_are_a_half_each():
    found = matches(("a", "b"))
    rows = rows_of(found[0].key, [1, 0.5, 0.5, 0, None, 1, 0.5])

    [line] = match_table.lines(found, rows)
    read = match_table.names_and_numbers(line)

    assert "| 2–3–1 | +58 ±" in table(results_of(found, rows), "markdown")
    assert (read["wins"], read["draws"], read["losses"]) == (2, 3, 1)
    assert read["elo"] == pytest.approx(58.45, abs=0.01)  # 400 log10(7 / 5)
    assert read["likelihood_of_superiority"] == 0.6875  # at most 2 heads of 4 coins: 11 / 16


def test_draws_that_make_errors_smaller_are_told():
    found = matches(("a", "b"), ("c", "d"))
    many = rows_of(found[0].key, [1] * 24 + [0.5] * 50 + [0] * 24)
    few = rows_of(found[1].key, [1] * 48 + [0.5] * 2 + [0] * 48)

    text = table(results_of(found, (*many, *few)), "markdown")

    # Half of the games have a spread of one half, the others none.
    assert "a against b: 50 draws, so the error is 0.71 times what is shown" in text
    assert "2 draws" not in text


def test_each_colour_of_the_first_player_has_its_rate():
    found = matches(("a", "b"))
    rows = rows_of(found[0].key, [1, 0, 1, 0.5, 0])

    [line] = match_table.lines(found, rows)
    read = match_table.names_and_numbers(line)

    assert (read["beginning_games"], read["beginning_rate"]) == (3, 66.6667)
    assert (read["following_games"], read["following_rate"]) == (2, 25.0)
    assert "| black / white |" in table(results_of(found, rows), "markdown")
    assert "| 66.7 / 25.0 % |" in table(results_of(found, rows), "markdown")
    in_havannah = replace(results_of(found, rows), game="havannah")
    assert "| white / black |" in table(in_havannah, "markdown")


def test_a_colour_that_was_not_played_yet_has_no_rate():
    found = matches(("a", "b"))

    assert "| 100.0 / – % |" in table(results_of(found, rows_of(found[0].key, [1])), "markdown")


def test_what_so_many_games_show_stands_below():
    pairs = [("a", "b"), ("c", "d"), ("e", "f"), ("g", "h")]
    found = matches(*pairs)
    rows = [
        row
        for match, games in zip(found, (1000, 400, 100, 2), strict=True)
        for row in rows_of(match.key, [1, 0] * (games // 2))
    ]

    assert (
        "1,000 games show a difference of 4.4 points from 50 %, 400 games one of 7.0, "
        "100 games one of 13.8 (at 95 %, four times in five)."
    ) in table(results_of(found, rows), "markdown")


def results_of(found, rows):
    return Results("", "go", "", "", "{}", found, tuple(rows))


# Beside the published figures


def line(rate, error, games, published):
    return MatchSummary(
        "m", games, games, rate, error, 0, 0, 0, 0, 0, Figure(*published, "a table")
    )


# The difference that 95 % allows is 1.96 times the root of the sum of both squares.
VERDICTS = [
    (71.1, 1.0, 2000, (71.1, 0.1), "agrees"),
    (73.0, 1.0, 2000, (71.1, 0.1), "agrees"),  # 1.9 < 1.97
    (73.1, 1.0, 2000, (71.1, 0.1), "differs"),  # 2.0 > 1.97
    (69.1, 1.0, 2000, (71.1, 0.1), "differs"),
    (60.0, 4.0, 150, (71.1, 0.1), "differs"),  # however few
    (80.0, 3.0, 150, (75.0, 3.0), "too few: 28 more"),
    # 5 points are 2.551 errors of 1.96; with the paper's own of 1, 2.347 are left for ours.
    (50.0, 5.0, 100, (50.0, 1.0), "too few: 354 more"),  # 0.25 / 0.02347^2 = 454
    (50.0, 2.3, 454, (50.0, 1.0), "agrees"),
    (50.0, 2.4, 453, (50.0, 1.0), "too few: 1 more"),
    # Ours need not be better than a paper's that could not see 5 points.
    (50.0, 9.9, 26, (48.0, 9.99), "agrees"),
]


@pytest.mark.parametrize(("rate", "error", "games", "published", "verdict"), VERDICTS)
def test_a_verdict_weighs_both_errors(rate, error, games, published, verdict):
    assert line(rate, error, games, published).verdict == verdict


def test_without_a_published_figure_there_is_no_verdict():
    [one] = match_table.lines(matches(("a", "b")), rows_of(MatchKey("a", "b"), [1]))

    assert (one.verdict, one.needed) == ("", 0)


def test_the_published_figure_stands_beside_ours():
    pairs = matches(("a", "b"), published="table1.go9.1000")

    text = shown(pairs, rows_of(MatchKey("a", "b"), [0] * 50))

    assert "71.1 ± 0.1 % │ differs" in text


# Other forms

FOUND = Results(
    "a title",
    "go",
    "",
    "",
    "{}",
    (
        MatchRecord(MatchKey("a|b", "50%_x"), 9, "table1.go9.1000"),
        MatchRecord(MatchKey("c", "d"), 4),
    ),
    (*rows_of(MatchKey("a|b", "50%_x"), [1, 0] * 25), *rows_of(MatchKey("c", "d"), [1, None])),
)


@pytest.mark.parametrize(
    ("figure", "text"),
    [
        ("table1.go9.1000", "71.1 ± 0.1 %"),
        ("table2.slow.2000", "53.24 ± 1.42 %"),
        ("table3.must-not-play-1k.mogo", "100 ± 0.1 %"),
        ("table3.must-not-play-1k.both", "93 ± 0.81 %"),
    ],
)
def test_a_published_figure_is_shown_as_papers_print_theirs(figure, text):
    [found] = match_table.lines(
        matches(("a", "b"), published=figure), rows_of(MatchKey("a", "b"), [1])
    )

    assert match_table.cells(found, ["published"]) == [text]


# What stands below, of a match without a published figure.
OF_OTHERS = (
    "c against d: 1–0, Elo over -234, LOS 75.0 %",
    "± is one standard error, LOS the likelihood that the first player is the stronger one.",
    "So few games cannot show any difference from 50 %.",
)


def test_markdown():
    assert table(FOUND, "markdown") == (
        "a title\n\n"
        "| match | games | success rate | 95 % | published | verdict | plies |\n"
        "| --- | ---: | ---: | ---: | ---: | --- | ---: |\n"
        "| a\\|b against 50%\\_x | 50 | 50.0 ± 7.1 % | 36.6–63.4 | 71.1 ± 0.1 % | differs | 34 |\n"
        "| c against d | 1 | 100.0 ± 47.1 % | 20.7–100.0 |  |  | 10 |\n"
        f"\n{OF_OTHERS[0]}\n\n{OF_OTHERS[1]}\n\n{OF_OTHERS[2]}\n"
        "\nc against d: 1 void games, which do not count\n"
    )


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("<img src=x> </b> <!-- a < b, <0.1 %", "\\<img src=x> \\</b> \\<!-- a < b, <0.1 %"),
        ("*b* `c` [d](e) ~~f~~", "\\*b\\* \\`c\\` \\[d\\](e) \\~~f\\~~"),
        ("_a_ a_b ~5 %", "\\_a\\_ a_b ~5 %"),
        ("a|b \\| \\n &lt; A & B", "a\\|b \\\\\\| \\n \\&lt; A & B"),
        ("\x1b[31m \u202e", "\\u001b\\[31m \\u202e"),
    ],
)
def test_what_names_say_is_no_markdown(text, written):
    named = matches((text, "b"))
    results = replace(FOUND, title=text, matches=named, rows=tuple(rows_of(named[0].key, [1, 0])))

    found = table(results, "markdown")

    assert found.startswith(f"{written}\n\n| match |")
    assert f"\n| {written} against b | 2 |" in found


def test_latex():
    assert table(replace(FOUND, title="a & b"), "latex") == (
        "".join(f"% {line}\n" for line in OF_OTHERS)
        + "% c against d: 1 void games, which do not count\n"
        "\\begin{table}\n\\caption{a \\& b}\n\\begin{tabular}{lrrrrlr}\n"
        "match & games & success rate & 95 \\% & published & verdict & plies \\\\ \\hline\n"
        "a|b against 50\\%\\_x & 50 & 50.0 $\\pm$ 7.1 \\% & 36.6--63.4 & 71.1 $\\pm$ 0.1 \\% & "
        "differs & 34 \\\\\n"
        "c against d & 1 & 100.0 $\\pm$ 47.1 \\% & 20.7--100.0 &  &  & 10 \\\\\n"
        "\\end{tabular}\n\\end{table}\n"
    )


def test_csv_and_json_have_the_same_numbers():
    read = list(csv.DictReader(io.StringIO(table(FOUND, "csv"))))
    loaded = json.loads(table(FOUND, "json"))

    assert loaded["title"] == "a title"
    assert [
        {key: "" if value is None else str(value) for key, value in match.items()}
        for match in loaded["matches"]
    ] == read
    assert loaded["matches"][0]["success_rate"] == 50
    assert loaded["matches"][0]["published_rate"] == 71.1
    assert loaded["matches"][1]["void"] == 1


def test_by_what_games_of_havannah_were_won_stands_below():
    key = MatchKey("a", "b")
    hows = ["ring", "fork", "ring", "bridge+fork", "rules", "ring", "fork", "resigned"]
    rows = [GameRecord(key, n, 1.0, how, (n,)) for n, how in enumerate(hows)]
    found = Results("", "havannah", "", "", "{}", matches(("a", "b")), tuple(rows))

    told = "a against b: ring 38 %, fork 25 %, bridge+fork 12 %, resigned 12 %, rules 12 %"

    assert table(found, "markdown").splitlines()[-1] == told
    [of_json] = json.loads(table(found, "json"))["matches"]
    assert of_json["endings"] == {"ring": 3, "fork": 2, "bridge+fork": 1, "resigned": 1, "rules": 1}


@pytest.mark.parametrize("how", ["area", "rules"])
def test_nothing_stands_below_where_no_game_tells_by_what_it_was_won(how):
    rows = [GameRecord(MatchKey("a", "b"), n, 1.0, how, (n,)) for n in range(2)]

    [line] = match_table.lines(matches(("a", "b")), rows)

    assert match_table.remarks([line]) == []
    assert "endings" not in match_table.names_and_numbers(line)


@pytest.mark.parametrize("form", ["text", "markdown", "latex"])
def test_a_host_that_is_slow_is_told(form, tmp_path, capsys, monkeypatch):
    from mcts_cluster.__main__ import main

    monkeypatch.setenv("COLUMNS", "100")
    speeds = {"fast": 300_000, "same": 310_000, "slow": 240_000}
    rows = [
        replace(row, worker=WorkerInfo(host, playouts_per_second=speed))
        for row, (host, speed) in zip(
            rows_of(MatchKey("a", "b"), [1, 0, 0]), speeds.items(), strict=True
        )
    ]
    path = tmp_path / "job.h5"
    results = Results(
        "a title", "go", "", "", "{}", matches(("a", "b")), tuple(rows), (RunRecord(0.0),)
    )
    Writer(path, results).close(0)

    assert main(["table", str(path), "--format", form]) == 0

    told = [line for line in capsys.readouterr().out.splitlines() if "playouts a second" in line]
    assert [line.removeprefix("% ") for line in told] == [
        "slow: 1 game, 240,000 playouts a second, 20 % slower than usual here"
    ]


@pytest.mark.parametrize("form", formats.FORMATS)
def test_every_form_is_printed_by_the_verb(form, tmp_path, capsys):
    path = tmp_path / "job.h5"
    results = Results("a title", "go", "", "", "{}", matches(("a", "b")), runs=(RunRecord(0.0),))
    Writer(path, replace(results, rows=tuple(rows_of(MatchKey("a", "b"), [1, 0])))).file.close()

    from mcts_cluster.__main__ import main

    assert main(["table", str(path), "--format", form]) == 0
    assert "a against b" in capsys.readouterr().out


# Published figures, read from the papers' tables again


@pytest.mark.parametrize(
    ("name", "rate", "error"),
    [
        ("table1.go9.256000", 61.0, 0.2),
        ("table1.go19.1000", 90.5, 0.3),
        ("table2.fast.50", 68.60, 0.68),
        ("table2.slow.5000", 52.00, 1.6),
        ("table4.go9.1", 75.85, 2.49),
        ("table4.go19.32", 48.00, 9.99),
        ("table5.go19", 94.0, 3.2),
        ("table5.slow-tree.go9", 63.6, 4.6),
        ("table3.must-play-1k.both", 84, pytest.approx(1.161, abs=0.001)),
        ("table3.must-not-play-30k.conditioning", 0, pytest.approx(0.100, abs=0.001)),
        ("table6.8", 52.3, 1.0),
    ],
)
def test_figures_are_found_by_name(name, rate, error):
    figure = figures()[name]

    assert (figure.rate, figure.error) == (rate, error)
    assert figure.table


def test_there_are_as_many_figures_as_the_papers_have():
    scalability = [name for name in figures() if name.startswith("table")]
    assert len(scalability) == 8 + 11 + 12 + 12 + 2 * 2 + 4
    # Two campaigns with two validated mutations, one of them with another budget too; one with ten.
    assert len(figures()) == len(scalability) + (2 + 2 + 1) + (2 + 2) + (10 + 10 + 11)


def test_campaigns_are_told_as_the_paper_tells_them():
    told = {name: (one.iterations, one.validated) for name, one in campaigns().items()}

    assert told == {
        "good_shapes_9x9": (156, 2),
        "bad_shapes_9x9": (173, 2),
        "with_database_19x19": (62, 0),
        "without_database_19x19": (443, 10),
    }
    assert campaigns()["without_database_19x19"].validated_at[2:4] == (31, 57)
    short = {name: one.short for name, one in campaigns().items() if one.short}
    assert list(short) == ["without_database_19x19"]
    assert short["without_database_19x19"].validated_at == (16, 22, 31, 57, 100, 127)
    assert figures()["bgp.without_database_19x19.database.0"].rate == 26.6
    assert figures()["bgp.without_database_19x19.previous.3"].rate == 56.7


def test_full_trees_and_agreement_are_told():
    one = ExchangeStats(replies=40, same_replies=30)
    rows = [
        replace(row, full_searches=(3, -1), exchanges=(one, NONE))
        for row in rows_of(MatchKey("a", "b"), [1, 0, 1, 0])
    ]

    found = shown(matches(("a", "b")), rows, width=200)

    assert "a against b: 12 searches of a filled their trees" in found
    assert "75 % of the machines of a would play the same reply" in found
    assert "of b" not in found


# Narrow terminals


def test_a_table_that_would_break_words_is_a_paragraph_a_row():
    many = matches(("twice(2000)", "n(1000)"), ("twice(8000)", "n(4000)"))
    rows = [row for match in many for row in rows_of(match.key, [1.0, 0.0, 1.0, 1.0])]

    text = shown(many, rows, width=40)
    of_one = (
        "  games 4, success rate 75.0 ± 23.6 %,",
        "  95 % 30.1–95.4, won–lost 3–1, Elo",
        "  +191 ± 184, LOS 81.2 %, black /",
        "  white 100.0 / 50.0 %, plies 12",
    )

    assert text.splitlines() == [
        "a title",
        *("twice(2000) against n(1000)", *of_one),
        *("twice(8000) against n(4000)", *of_one),
        "± is one standard error, LOS the",
        "likelihood that the first player is the",
        "stronger one.",
        "So few games cannot show any difference",
        "from 50 %.",
    ]


@pytest.mark.parametrize("width", [20, 40, 60, 80, 120])
def test_no_line_is_wider_than_the_terminal(width):
    many = matches(("twice(2000)", "n(1000)"))
    lines = shown(many, rows_of(many[0].key, [1.0, 0.0]), width=width).splitlines()

    assert all(len(line) <= width for line in lines)
    # No word is a letter a line.
    assert not [line for line in lines if len(line.strip("│┃ ")) == 1]


def test_colours_are_off_when_asked(monkeypatch):
    monkeypatch.setenv("NO_COLOR", "1")
    many = matches(("a", "b"))

    text = shown(many, rows_of(many[0].key, [1.0]), force_terminal=True)

    assert "\x1b[3" not in text
