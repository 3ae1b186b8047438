"""Pictures of success rates."""

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest

from mcts_cluster.__main__ import main
from mcts_cluster.errors import UserError
from mcts_cluster.jobs import compatibility, jobfile
from mcts_cluster.matches.game_record import GameRecord
from mcts_cluster.matches.setup import MatchKey
from mcts_cluster.reports import match_plot
from mcts_cluster.reports.compare.figures import ASIDE
from mcts_cluster.reports.kinds import KINDS, figure_of_all
from mcts_cluster.reports.match_table import lines
from mcts_cluster.reports.pictures import figures
from mcts_cluster.reports.speedup import Doublings
from mcts_cluster.storage import reader
from mcts_cluster.storage.results import MatchRecord, Results, RunRecord
from mcts_cluster.storage.writer import Writer

pytest.importorskip("matplotlib")

CURVE = (
    MatchRecord(MatchKey("a", "b"), 4, "table1.go9.1000", 1000),
    MatchRecord(MatchKey("b", "c"), 4, "table1.go9.4000", 4000),
)


def results(*matches):
    rows = [
        GameRecord(match.key, number, float(number > 0), "area", (number,))
        for match in matches
        for number in range(4)
    ]
    return Results("a $title", "go", "", "", "{}", matches, tuple(rows), (RunRecord(0.0),))


def curves(found):
    """Return what is drawn: for each curve its label and points."""
    [axes] = match_plot.drawn(found, lines(found.matches, found.rows)).axes
    labels = [container.get_label() for container in axes.containers]
    data = [container[0].get_xydata().tolist() for container in axes.containers]
    return axes, dict(zip(labels, data, strict=True))


def test_a_sweep_is_a_curve_beside_the_published_one():
    axes, drawn = curves(results(*CURVE))

    assert drawn == {
        "mcts_cluster": [[1000, 75], [4000, 75]],
        "published": [[1000, 71.1], [4000, 68.7]],
    }
    assert (axes.get_xscale(), axes.get_title()) == ("log", r"a \$title")


def test_a_sweep_in_parts_is_one_curve():
    numbers = (1000, 4000, 250)
    matches = (
        MatchRecord(MatchKey(f"twice({2 * n})", f"n({n})"), 4, simulations=n) for n in numbers
    )

    axes, drawn = curves(results(*matches))

    assert [x for x, _ in drawn["mcts_cluster"]] == [250, 1000, 4000]
    assert axes.get_xscale() == "log"


SWEEP = """
game = {{name = "go", size = 5}}
[player.a]
{budget}
[player.b]
simulations = 10
[[match]]
players = ["{first}", "{second}"]
games = 4
{columns}
"""


def sweep(columns, players=("a", "b"), budget="simulations = 10"):
    """Return the results of the matches that a job's `vary` stands for."""
    first, second = players
    text = SWEEP.format(columns=columns, first=first, second=second, budget=budget)
    job = jobfile.read_text(text)
    settings = compatibility.written(compatibility.describe(job))
    return replace(results(*KINDS["matches"].records(job)), settings=settings)


@pytest.mark.parametrize(
    ("key", "values", "scale", "budget"),
    [
        ("rave", [10, 100, 1000], "log", "simulations = 10"),
        ("rave", [1000, 10, 100], "log", "simulations = 10"),
        ("exploration", [0, 0.25, 0.5], "linear", "simulations = 10"),
        ("exploration", [0.00001, 1.5, 1e-7], "log", "simulations = 10"),
        ("widening", [1, 2, 4], "linear", "simulations = 10"),
        ("threads", [1, 2, 4], "linear", "simulations = 10"),
        ("seconds", [0.5, 1, 2.5], "linear", "simulations = 10"),
        ("playouts", [10, 20, 40], "linear", "playouts = 10"),
    ],
)
@pytest.mark.parametrize("players", [("a", "b"), ("b", "a")])
def test_a_sweep_over_a_setting_has_a_numeric_axis_named_after_it(
    players, key, values, scale, budget
):
    axes, drawn = curves(sweep(f"vary.a.{key} = {values}", players, budget))

    assert [x for x, _ in drawn["mcts_cluster"]] == sorted(values)
    assert (axes.get_xscale(), axes.get_xlabel()) == (scale, f"{key} of a")
    assert [label.get_text() for label in axes.get_xticklabels()] == [
        f"{value:,}" for value in sorted(values)
    ]


def test_a_sweep_over_two_settings_has_names():
    columns = "vary.a.rave = [10, 100]\nvary.a.widening = [1, 2]"

    axes, drawn = curves(sweep(columns))

    assert [x for x, _ in drawn["mcts_cluster"]] == [0, 1]
    assert [label.get_text() for label in axes.get_xticklabels()] == [
        "a(rave=10, widening=1) against b",
        "a(rave=100, widening=2) against b",
    ]


def test_simulations_that_do_not_rise_are_an_axis_by_their_names():
    axes, drawn = curves(sweep("vary.a.simulations = [40, 10, 20]"))

    assert [x for x, _ in drawn["mcts_cluster"]] == [10, 20, 40]
    assert axes.get_xlabel() in ("simulations of a", "simulations a move")


def test_a_sweep_over_what_the_settings_do_not_tell_is_named_after_the_player():
    axes, _ = curves(results(*(MatchRecord(MatchKey(f"a({n})", "b"), 4) for n in range(3))))

    assert axes.get_xlabel() == "the number in the name of a"


@pytest.mark.parametrize(
    "values", [("x", "y"), (1, 1), ("1,2", "3,4"), ("x=1", "y=2"), ("x=1", "2")]
)
def test_names_without_one_number_each_are_names(values):
    matches = [MatchRecord(MatchKey(f"a({value})", f"b{n}"), 4) for n, value in enumerate(values)]
    axes, drawn = curves(results(*matches))

    assert [x for x, _ in drawn["mcts_cluster"]] == [0, 1]
    assert axes.get_xlabel() == ""


def test_a_figure_says_what_its_bars_are():
    axes, _ = curves(results(*CURVE))

    assert axes.get_ylabel().endswith("(bars: one standard error)")


def test_matches_of_several_players_stay_as_they_are():
    _, drawn = curves(results(*CURVE[::-1]))

    assert [x for x, _ in drawn["mcts_cluster"]] == [0, 1]


def test_other_matches_are_points_with_names():
    axes, drawn = curves(results(*(replace(match, simulations=0) for match in CURVE)))

    assert [x for x, _ in drawn["mcts_cluster"]] == [0, 1]
    # Beside ours, or one would hide the other.
    assert [x for x, _ in drawn["published"]] == [0 + match_plot.ASIDE, 1 + match_plot.ASIDE]
    assert [label.get_text() for label in axes.get_xticklabels()] == ["a against b", "b against c"]


def test_without_published_figures_there_is_one_curve():
    _, drawn = curves(results(*(replace(match, published="") for match in CURVE)))

    assert list(drawn) == ["mcts_cluster"]


def test_the_rate_that_the_paper_calls_a_speed_up_of_2_is_a_line():
    match = replace(CURVE[0], published="table4.go19.16")
    for published, names in (
        ("table4.go19.16", ["a speed-up of 2, as published: 63 %"]),
        ("table4.go9.16", []),
        ("table1.go19.1000", []),
        ("", []),
    ):
        axes, _ = curves(results(replace(match, published=published)))

        lines = {line.get_label(): line.get_ydata() for line in axes.lines}
        assert [name for name in lines if name.startswith("a speed-up")] == names
        assert all(list(lines[name]) == [63, 63] for name in names)


def test_machines_make_a_curve_where_simulations_do_not():
    matches = [
        replace(match, simulations=100, machines=machines)
        for match, machines in zip(CURVE, (1, 8), strict=True)
    ]

    axes, drawn = curves(results(*matches))

    assert drawn["mcts_cluster"] == [[1, 75], [8, 75]]
    assert axes.get_xlabel() == "machines"


def spent(found, *simulations):
    return replace(found, rows=tuple(replace(row, simulations=simulations) for row in found.rows))


def test_rates_are_drawn_as_so_many_times_the_simulations():
    found = spent(results(CURVE[0]), 800, 100)

    [axes] = match_plot.drawn_times(
        found, lines(found.matches, found.rows), Doublings({50: 2 / 3})
    ).axes

    drawn = {c.get_label(): c[0].get_xydata().tolist() for c in axes.containers}
    # Three of four, with one more win and one more loss; the paper's 71.1 % are the power of
    # two whose exponent is log(71.1 / 28.9) / log(2).
    assert drawn["mcts_cluster"] == [[8, pytest.approx(2)]]
    assert drawn["published"] == [[8, pytest.approx(71.1 / 28.9)]]


def test_players_that_do_not_count_have_no_simulations_to_compare():
    found = results(CURVE[0])

    with pytest.raises(UserError, match="no match of players whose simulations are known"):
        match_plot.drawn_times(found, lines(found.matches, found.rows), Doublings({50: 2 / 3}))


def test_a_curve_that_is_flat_tells_nothing():
    found = spent(results(CURVE[0]), 800, 100)

    with pytest.raises(UserError, match="no speed-up: the doublings gain too little"):
        match_plot.drawn_times(found, lines(found.matches, found.rows), Doublings({50: 1 / 2}))


def test_a_curve_in_another_file_is_drawn_by(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    found = spent(results(CURVE[0]), 800, 100)
    players = {"a": {"simulations": 20}, "b": {"simulations": 10}}
    Writer(Path("job.h5"), found).close(0)
    Writer(Path("curve.h5"), replace(found, settings=json.dumps({"player": players}))).close(0)
    Writer(Path("none.h5"), replace(found, settings=json.dumps({"player": {"a": {}, "b": {}}})))

    assert main(["plot", "job.h5", "--doublings", "curve.h5"]) == 0
    assert capsys.readouterr().out == "job-times.png\n"
    assert Path("job-times.png").read_bytes().startswith(b"\x89PNG")
    assert main(["plot", "job.h5", "--doublings", "none.h5"]) == 2
    assert "none.h5: no match of 2N simulations against N has a game" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("suffix", "begins"), [(".png", b"\x89PNG"), (".svg", b"<?xml"), (".pdf", b"%PDF")]
)
def test_a_picture_is_written(suffix, begins, tmp_path, capsys):
    path = tmp_path / "job.h5"
    Writer(path, results(*CURVE)).close(0)
    out = path.with_suffix(suffix)

    assert main(["plot", str(path), "-o", str(out)]) == 0

    assert out.read_bytes().startswith(begins)
    assert capsys.readouterr().out == f"{out}\n"
    assert {entry.name for entry in tmp_path.iterdir()} == {"job.h5", out.name}


STRANGE = "$_{", "_x$^", "囲碁の実験", "a\x01\tb", "\\$a$"


def strange_results():
    """Return the results of matches whose names are no formulas, in letters that fonts lack."""
    matches = [MatchRecord(MatchKey(f"a{name}", name), 4) for name in STRANGE]
    return replace(results(*matches), title=" ".join(STRANGE))


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("suffix", figures.SUFFIXES)
def test_names_and_titles_are_no_formulas_and_make_no_warnings(suffix, tmp_path):
    path = tmp_path / "job.h5"
    Writer(path, strange_results()).close(0)

    assert main(["plot", str(path), "-o", str(path.with_suffix(suffix))]) == 0
    assert main(["report", str(path), "-o", str(tmp_path / "page.html")]) == 0

    if suffix == ".svg":
        ElementTree.parse(path.with_suffix(suffix))


def test_words_are_drawn_as_they_are_but_for_control_characters():
    drawn = strange_results()
    [axes] = match_plot.drawn(drawn, lines(drawn.matches, drawn.rows)).axes

    shown = [label.get_text().replace(r"\$", "$") for label in axes.get_xticklabels()]
    assert shown[0] == "a$_{ against $_{"
    assert shown[3] == r"aa\u0001 b against a\u0001 b"


@pytest.mark.parametrize(
    ("out", "says"),
    [
        ("job.gif", "-o job.gif: must end with one of .png, .svg, .pdf"),
        ("job.h5/job.png", "job.h5: File exists"),
    ],
)
def test_a_picture_that_cannot_be_written_is_refused(out, says, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Writer(tmp_path / "job.h5", results(*CURVE)).close(0)

    assert main(["plot", "job.h5", "-o", out]) == 2
    assert capsys.readouterr().err == f"mcts-cluster: {says}\n"


def test_a_file_without_games_has_nothing_to_draw(tmp_path, capsys):
    path = tmp_path / "job.h5"
    Writer(path, replace(results(*CURVE), rows=())).close(0)

    assert main(["plot", str(path)]) == 2
    assert "no game has been played yet" in capsys.readouterr().err


def test_matplotlib_is_asked_for_where_it_is_missing(tmp_path):
    path = tmp_path / "job.h5"
    Writer(path, results(*CURVE)).close(0)
    code = (
        "import sys; sys.modules['matplotlib'] = None\n"
        "from mcts_cluster.__main__ import main; sys.exit(main(sys.argv[1:]))"
    )

    ended = subprocess.run(
        [sys.executable, "-c", code, "plot", path], capture_output=True, text=True
    )

    assert ended.returncode == 2
    assert ended.stderr == f"mcts-cluster: {figures.NO_MATPLOTLIB}\n"


def test_nothing_of_the_drawing_is_loaded_before_it_is_wanted():
    code = (
        "import sys, mcts_cluster.running.master, mcts_cluster.commands.plot; print(*sys.modules)"
    )
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout

    assert not {"matplotlib", "h5py", "mpi4py"} & set(loaded.split())
    assert reader.__name__ in loaded.split()


def together(**files):
    """Return the axes of a figure of files, and what is drawn: labels and points."""
    figure = figure_of_all({f"{name}.h5": found for name, found in files.items()})
    [axes] = figure.axes
    [legend] = figure.legends
    drawn = {one.get_label(): one[0].get_xydata().tolist() for one in axes.containers}
    assert [text.get_text() for text in legend.get_texts()] == list(drawn)
    return axes, drawn


def test_several_files_are_curves_of_one_figure():
    few = [MatchRecord(MatchKey(f"x{n}", f"y{n}"), 4, simulations=n) for n in (50, 100)]

    axes, drawn = together(a=results(*few), b=results(*CURVE))

    assert drawn == {
        "a.h5": [[50, 75], [100, 75]],
        "b.h5": [[1000, 75], [4000, 75]],
        "published": [[1000, 71.1], [4000, 68.7]],
    }
    assert [one.get_text() for one in axes.get_xticklabels()] == ["50", "100", "1,000", "4,000"]
    assert (axes.get_xscale(), axes.get_xlabel()) == ("log", "simulations a move")


def test_sweeps_over_the_same_setting_are_curves_of_one_figure():
    files = (sweep(f"vary.a.rave = {values}") for values in ([10, 30], [30, 20]))

    axes, drawn = together(**dict(zip("ab", files, strict=True)))

    assert [[x for x, _ in points] for points in drawn.values()] == [[10, 30], [20, 30]]
    assert axes.get_xlabel() == "rave of a"


def test_files_that_name_other_figures_have_each_its_own():
    of_19 = [replace(CURVE[0], published="table1.go19.1000"), replace(CURVE[1], published="")]

    _, drawn = together(a=results(*CURVE), b=results(*of_19))

    theirs = {name: points for name, points in drawn.items() if name.startswith("published")}
    assert {name: [x for x, _ in points] for name, points in theirs.items()} == {
        "published, a.h5": [1000, 4000],
        "published, b.h5": [1000],
    }


def test_the_same_match_of_each_file_stands_side_by_side():
    first, second, third = (MatchRecord(MatchKey(name, "z"), 4) for name in "abc")
    published = replace(second, published="table1.go9.1000")

    axes, drawn = together(a=results(first, published), b=results(third, published))

    assert [one.get_text() for one in axes.get_xticklabels()] == [
        "a against z",
        "b against z",
        "c against z",
    ]
    assert drawn == {
        "a.h5": [[pytest.approx(-0.15), 75], [pytest.approx(0.85), 75]],
        "b.h5": [[pytest.approx(2.15), 75], [pytest.approx(1.15), 75]],
        "published": [[pytest.approx(1 + ASIDE), 71.1]],
    }


def test_a_curve_beside_another_kind_of_curve_is_drawn_match_by_match():
    machines = [replace(one, simulations=9, machines=n) for n, one in enumerate(CURVE, 1)]

    axes, drawn = together(a=results(*CURVE), b=results(*machines))

    assert [len(points) for points in drawn.values()] == [2, 2, 2]
    assert [one.get_text() for one in axes.get_xticklabels()] == ["a against b", "b against c"]


def test_files_of_one_name_are_told_apart_by_their_folders():
    assert figures.short_names(["x/a.h5", "y/b.h5"]) == ["a.h5", "b.h5"]
    assert figures.short_names(["x/a.h5", "y/a.h5"]) == ["x/a.h5", "y/a.h5"]


def test_positions_of_several_files_stand_side_by_side():
    paths = (f"results/table3{name}-laptop.h5" for name in ("", "-30k"))
    [axes] = figure_of_all({path: reader.read(Path(path)) for path in paths}).axes

    assert [one.get_label() for one in axes.containers] == [
        "table3-laptop.h5",
        "table3-30k-laptop.h5",
        "published",
    ]
    assert axes.get_ylabel().startswith("good moves")


def test_files_that_make_no_figure_together_are_refused(tmp_path, capsys):
    with pytest.raises(UserError, match=r"b\.h5: no game has been played yet"):
        together(a=results(*CURVE), b=replace(results(*CURVE), rows=()))
    first, second = "results/doublings-go9.h5", "results/bgp-good-9x9-laptop.h5"
    out = str(tmp_path / "x.png")

    assert main(["plot", first, second, "-o", out]) == 2
    assert "only files of one kind can be drawn together" in capsys.readouterr().err
    assert main(["plot", first, first, "--doublings", first, "-o", out]) == 2
    assert "--doublings: one FILE is allowed" in capsys.readouterr().err
    assert not Path(out).exists()
