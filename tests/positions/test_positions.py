"""Positions: read with all their mistakes, played, continued, shown in every form."""

import csv
import io
import json
import shutil
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from mcts_cluster.__main__ import main
from mcts_cluster.jobs import compatibility, jobfile
from mcts_cluster.matches.setup import Task
from mcts_cluster.players.flat import Stateless
from mcts_cluster.positions import position_file
from mcts_cluster.positions.position import PositionKey
from mcts_cluster.reports import positions as report
from mcts_cluster.storage import reader

ROOT = Path(__file__).parents[2]
CAPTURE = """\
position capture        ; the only one
to play = black
good moves = C4 {more}
proof = by the rules

    . . . . .
    . . . . .
    . X O X .
    . . X . .
    . . . . .
"""
ONE = CAPTURE.format(more="")
JOB = """\
seed = 1
[game]
size = 5
[player.plain]
simulations = 20
[player.rave]
simulations = 20
[player.flat]
playouts = 4
[positions]
file = "{file}"
players = {players}
{more}
"""


def write(folder, positions=ONE, players='["plain", "rave"]', more="runs = 3"):
    """Write a job and its positions, return the path of the job."""
    file = folder / "positions.txt"
    file.write_text(positions)
    path = folder / "job.toml"
    path.write_text(JOB.format(file=file, players=players, more=more))
    return path


@pytest.fixture
def written(tmp_path):
    return partial(write, tmp_path)


def run(path, *words):
    out = path.with_suffix(".h5")
    return main(["run", str(path), "-o", str(out), *words]), out


# Jobs


def test_each_player_is_at_each_position_with_each_budget(written):
    job = jobfile.read(written(more="simulations = [10, 30]\nruns = 4"))

    names = ["plain(10)", "plain(30)", "rave(10)", "rave(30)"]
    assert list(job.experiment.keys) == [PositionKey(name, "capture") for name in names]
    assert [job.players[name].simulations for name in names] == [10, 30, 10, 30]
    assert [entrant.model for entrant in job.experiment.entrants] == ["plain"] * 2 + ["rave"] * 2
    assert job.experiment.runs == 4


def test_without_budgets_the_players_have_their_own(written):
    job = jobfile.read(written(players='["plain", "flat"]'))

    assert [key.first for key in job.experiment.keys] == ["plain", "flat"]


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        (
            {"players": '["plian"]'},
            'positions.players.0: "plian" is not a player; did you mean "plain"?',
        ),
        ({"players": "[]"}, "positions.players: must be at least one name of a player"),
        ({"players": '["plain", "plain"]'}, 'positions.players.1: "plain" is named twice'),
        (
            {"players": '["flat"]', "more": "simulations = [10]"},
            'positions.simulations: "flat" has no budget of simulations: it is no tree search',
        ),
        ({"more": "simulations = 10"}, "positions.simulations: 10 must be a list"),
        ({"more": "runs = 0"}, "positions.runs: 0"),
        ({"more": "games = 3"}, "positions.games: unknown key"),
        ({"positions": "no position"}, "no position, must be at least one"),
        (
            {"positions": CAPTURE.replace("good moves = C4 {more}\n", "")},
            "capture: no good move, must be at least one: good moves = E5 D4",
        ),
        (
            {"positions": CAPTURE.format(more="B3")},
            "capture: good move B3: black cannot play B3: occupied",
        ),
        ({"positions": CAPTURE.format(more="Z9")}, "capture: good move Z9: "),
        (
            {"positions": ONE.replace("black", "red")},
            "capture: to play: 'red', must be black or white",
        ),
        (
            {"positions": ONE.replace("proof", "prove")},
            ":4: capture: 'prove' is unknown; known are to play, komi, good moves, proof",
        ),
        (
            {"positions": ONE.replace("proof", "komi = 1.3\nproof")},
            "capture: komi: 1.3 must be a multiple of 0.5",
        ),
        (
            {"positions": ONE.replace("proof", "komi = many\nproof")},
            'capture: komi: "many" must be a number',
        ),
        (
            {"positions": ONE * 2},
            ":11: capture: there is a position of this name already",
        ),
        (
            {"positions": ONE.replace("    . . . . .\n", "", 1)},
            "points in a board of 4 rows",
        ),
        (
            {"positions": "position small\nto play = black\ngood moves = A1\n. .\n. .\n"},
            "small: 2 rows, the board of the job has 5",
        ),
    ],
)
def test_a_mistake_is_one_line(changes, says, written, capsys):
    status, _ = run(written(**changes))

    line, *quoted = capsys.readouterr().err.splitlines()
    assert (status, says in line) == (2, True), line
    assert [one.startswith("    ") for one in quoted] == [True]


def test_a_mistake_in_the_file_quotes_its_line(written, tmp_path, capsys):
    wrong = ONE.replace("black", "red").replace("good moves = C4", "good moves = Z9  ; \x1b[31m")

    assert main(["check", str(written(positions=wrong))]) == 2

    first, quoted, second, other = capsys.readouterr().err.splitlines()
    assert first.endswith(
        f"{tmp_path}/positions.txt:2: capture: to play: 'red', must be black or white"
    )
    assert quoted == "    to play = red"
    assert f"{tmp_path}/positions.txt:3: capture: good move Z9: " in second
    assert other == "    good moves = Z9  ; ?[31m"


def test_a_file_that_is_missing_is_named(written, tmp_path, capsys):
    path = written()
    (tmp_path / "positions.txt").unlink()

    assert main(["check", str(path)]) == 2

    line, quoted = capsys.readouterr().err.splitlines()
    assert line.startswith(f"mcts-cluster: {path}:")
    assert line.endswith(f": positions.file: {tmp_path}/positions.txt: No such file or directory")
    assert quoted.startswith("    file = ")


def test_all_mistakes_are_reported_together(written, capsys):
    wrong = CAPTURE.format(more="B3") + CAPTURE.replace("capture", "other").format(more="B3 Z9")

    status, _ = run(written(positions=wrong, players='["plain", "nobody"]', more="runs = 0"))

    assert status == 2
    lines = capsys.readouterr().err.splitlines()
    assert [line.startswith("    ") for line in lines] == [False, True] * 5


def test_a_job_has_one_kind_of_experiment(written, capsys):
    match = '[[match]]\nplayers = ["plain", "rave"]\ngames = 2\n'

    status, _ = run(written(more=match))

    assert status == 2
    assert "match: not allowed next to positions" in capsys.readouterr().err


# Runs


class Fixed(Stateless):
    """A player of one move."""

    def __init__(self, move):
        self.move = move

    def choose(self, game, game_seed):
        return game.number(self.move)


@pytest.mark.parametrize(("move", "points"), [("C4", 1.0), ("A1", 0.0), ("pass", 0.0)])
def test_a_good_move_has_a_point(move, points, written):
    job = jobfile.read(written())
    setup = replace(job.setup, players={"plain": Fixed(move)})

    row = job.experiment.play(setup, Task(PositionKey("plain", "capture"), 0))

    assert (row.points, row.plies) == (points, 1)


def test_a_move_that_is_illegal_makes_the_run_void(written):
    job = jobfile.read(written())
    setup = replace(job.setup, players={"plain": Fixed("B3")})

    row = job.experiment.play(setup, Task(PositionKey("plain", "capture"), 0))

    assert row.points is None
    assert "B3: occupied" in row.how


def test_a_position_may_have_a_komi_of_its_own(written):
    own = ONE.replace("proof", "komi = -3.5\nproof").replace("capture", "own")
    job = jobfile.read(written(ONE + own))
    [general, special] = job.experiment.positions

    assert (general.komi, special.komi) == (None, -3.5)
    assert [one.game(job.setup.settings).core.komi for one in (general, special)] == [7.5, -3.5]
    assert position_file.parse(position_file.write([special]))[0][0].position() == special


def test_good_moves_may_be_written_in_small_letters(written):
    job = jobfile.read(written(CAPTURE.replace("C4", "c4").format(more="")))
    setup = replace(job.setup, players={"plain": Fixed("C4")})

    assert job.experiment.play(setup, Task(PositionKey("plain", "capture"), 0)).points == 1


def test_a_run_tells_of_moves(written, capsys):
    path = written(more="runs = 5\nsimulations = [10, 20]")

    status, out = run(path)

    told = capsys.readouterr()
    assert status == 0
    assert "played 20 moves; " in told.err
    assert run(written(more="runs = 6\nsimulations = [10, 20]"))[0] == 0
    assert f"{out}: continues after 20 moves\n" in capsys.readouterr().err
    assert main(["show", str(out)]) == 0
    assert "24 of 24 moves" in capsys.readouterr().out
    plan = report.plan(jobfile.read(path), replace(reader.read(out), rows=()))
    assert next(bar.name for bar in plan.bars()) == "moves"
    assert plan.missing == "24 moves are"


def test_runs_are_the_same_for_any_number_of_processes(written):
    path = written(more="runs = 5\nsimulations = [10, 20]")
    found = []
    for processes in ("1", "2"):
        status, out = run(path, "--processes", processes)
        assert status == 0
        found.append({(row.match, row.number): row for row in reader.read(out).rows})
        out.unlink()

    assert found[0] == found[1]
    assert len(found[0]) == 20
    assert len({row.seed for row in found[0].values()}) == 20
    assert all(row.simulations[0] in (10, 20) for row in found[0].values())


def test_ranks_have_the_moves_that_processes_have(written, mpiexec):
    path = written(more="runs = 5")
    _, alone = run(path, "--processes", "1")
    out = path.with_name("ranks.h5")

    ended = mpiexec(3, "-m", "mcts_cluster", "run", str(path), "-o", str(out))

    assert ended.returncode == 0, ended.stderr
    rows = [
        sorted(reader.read(file).rows, key=lambda row: (row.match, row.number))
        for file in (out, alone)
    ]
    assert rows[0] == rows[1]


def test_a_run_is_continued_with_more_runs_players_and_positions(written, capsys):
    path = written(more="runs = 2", players='["plain"]')
    _, out = run(path)
    before = reader.read(out).rows
    another = ONE + CAPTURE.replace("capture", "again").format(more="")
    written(another, more="runs = 3")

    assert run(path) == (0, out)

    results = reader.read(out)
    assert results.rows[:2] == before
    assert len(results.rows) == 2 * 2 * 3
    assert [str(match.key) for match in results.matches] == [
        "plain at capture",
        "rave at capture",
        "plain at again",
        "rave at again",
    ]


@pytest.mark.parametrize(
    ("positions", "more", "says"),
    [
        (ONE, "runs = 1", "positions.runs: 3 in the file, only 1 in the job"),
        (
            CAPTURE.format(more="A1"),
            "runs = 3",
            'positions.capture.good_moves: ["C4"] in the file, ["C4", "A1"] in the job',
        ),
        (
            ONE.replace("position capture", "position other"),
            "runs = 3",
            "positions.capture: is in the file, and not in the job",
        ),
    ],
)
def test_a_file_of_other_positions_is_not_continued(positions, more, says, written, capsys):
    path = written()
    run(path)
    written(positions, more=more)

    assert run(path)[0] == 2
    assert says in capsys.readouterr().err


def test_a_player_with_another_setting_does_not_continue(written, capsys):
    path = written()
    run(path)

    assert run(path, "--set", "player.plain.rave=9")[0] == 2
    assert "player.plain.rave: 1000.0 in the file, 9.0 in the job" in capsys.readouterr().err


def test_a_proof_in_other_words_decides_nothing(written):
    job = jobfile.read(written())
    other = jobfile.read(written(ONE.replace("by the rules", "by us")))

    assert compatibility.differences(compatibility.describe(job), other) == []


def test_matches_do_not_continue_positions(written, capsys):
    path = written()
    run(path)
    text = path.read_text()
    match = '[[match]]\nplayers = ["plain", "rave"]\ngames = 2\n'
    path.write_text(text[: text.index("[positions]")] + match)

    assert run(path)[0] == 2
    assert 'kind: "positions" in the file, "matches" in the job' in capsys.readouterr().err


# Reading


@pytest.fixture(scope="module")
def played_once(tmp_path_factory):
    folder = tmp_path_factory.mktemp("positions")
    return run(write(folder, more="runs = 4\nsimulations = [10, 20]"))[1]


@pytest.fixture
def file(played_once, tmp_path):
    return Path(shutil.copy(played_once, tmp_path))


def test_the_table_has_a_line_a_position_and_a_column_a_player(file):
    summary = report.summary(reader.read(file))

    assert summary.headings == ["position", "plain(10)", "plain(20)", "rave(10)", "rave(20)"]
    assert [row[0] for row in summary.rows] == ["capture"]
    assert all(cell.endswith(" %") and " ± " in cell for cell in summary.rows[0][1:])


def test_a_share_is_that_of_the_good_moves(file):
    results = reader.read(file)
    points = {0: 1.0, 1: 0.0, 2: None, 3: 1.0}
    rows = tuple(replace(row, points=points[row.number]) for row in results.rows)

    [first, *_] = report.plain(replace(results, rows=rows))

    assert (first["runs"], first["void"]) == (3, 1)
    assert first["good_moves"] == pytest.approx(66.6667, abs=1e-4)
    assert (
        "plain(10) at capture: 1 void runs, which do not count"
        in report.summary(replace(results, rows=rows)).notes
    )


@pytest.mark.parametrize("form", ["text", "markdown", "csv", "latex", "json"])
def test_every_form_has_positions_and_players(form, file, capsys):
    capsys.readouterr()

    assert main(["table", str(file), "--format", form]) == 0

    out = capsys.readouterr().out
    assert "capture" in out and "plain(10)" in out and "rave(20)" in out


def test_csv_and_json_have_a_row_a_cell(file, capsys):
    capsys.readouterr()
    main(["table", str(file), "--format", "csv"])
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    main(["table", str(file), "--format", "json"])
    read = json.loads(capsys.readouterr().out)["positions"]

    assert [{key: str(value) for key, value in one.items()} for one in read] == rows
    assert [(one["model"], one["simulations"]) for one in read] == [
        ("plain", 10),
        ("plain", 20),
        ("rave", 10),
        ("rave", 20),
    ]


def test_a_run_is_shown_and_replayed_and_exported(file, capsys):
    assert main(["show", str(file)]) == 0
    assert "16 of 16 moves" in capsys.readouterr().out
    assert main(["replay", str(file), "5"]) == 0
    assert "every move is the same" in capsys.readouterr().out
    assert main(["export", str(file), "--format", "sgf", "--game", "0"]) == 0
    record = capsys.readouterr().out
    player = reader.read(file).rows[0].match.first
    assert f"PB[{player}]" in record and "GN[capture]" in record and "AB[" in record
    assert main(["export", str(file), "--format", "csv"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 17


def test_the_figure_has_a_curve_for_each_player_at_each_position(file):
    pytest.importorskip("matplotlib")

    [axes] = report.figure(reader.read(file), None).axes

    assert [c.get_label() for c in axes.containers] == ["plain at capture", "rave at capture"]
    assert [list(c[0].get_xdata()) for c in axes.containers] == [[10, 20]] * 2
    assert axes.get_xscale() == "log"


def test_a_file_without_runs_has_nothing_to_draw(file):
    pytest.importorskip("matplotlib")
    results = replace(reader.read(file), rows=())

    with pytest.raises(Exception, match="no run has finished yet"):
        report.figure(results, None)
    assert report.summary(results).rows == []


def test_an_estimate_has_a_line_a_player_however_many_positions(written, monkeypatch, capsys):
    many = "".join(CAPTURE.replace("capture", f"p{n}").format(more="") for n in range(9))
    asked = []
    choose = report.move_seconds
    monkeypatch.setattr(
        report, "move_seconds", lambda player, *rest: asked.append(player) or choose(player, *rest)
    )

    assert main(["check", str(written(many, more="runs = 50"))]) == 0

    out = capsys.readouterr().out
    assert "│ plain  │   450 │" in out and "│ rave   │   450 │" in out
    assert "900 moves, " in out and " game" not in out
    # At some of the positions.
    assert len(asked) == 2 * 3


# The shipped job


def winning(core, depth, known):
    """Tell whether the player to move wins; the area decides where the depth is used up."""
    me = core.to_play
    if core.is_over or not depth:
        return core.winner() == me
    key = (tuple(core.color(place) for place in range(core.points)), me, depth)
    if key not in known:
        known[key] = any(wins(core, move, depth, known) for move in replies(core))
    return known[key]


def replies(core):
    return [move for move in {*core.sensible_moves(), core.points} if not core.why_illegal(move)]


def wins(core, move, depth, known):
    after = core.copy()
    after.play(move)
    if after.is_over:
        return after.winner() == core.to_play
    return not winning(after, depth - 1, known)


def test_the_good_moves_of_the_shipped_job_are_those_that_win(monkeypatch):
    monkeypatch.chdir(ROOT)
    job = jobfile.read("jobs/positions-go9.toml")

    for position in job.experiment.positions:
        core = position.game(job.settings).core
        good = {core.name(m) for m in core.legal_moves() if wins(core, m, 9 + 1, {})}
        assert good == set(position.good_moves), position.name
        assert position.proof.startswith("by the rules")


def test_good_moves_may_take_several_lines(written):
    job = jobfile.read(written(CAPTURE.format(more="\ngood moves = A1 B1")))

    assert job.experiment.positions[0].good_moves == ("C4", "A1", "B1")


PUBLISHED = """\
runs = 3
[positions.published.capture]
"{player}" = "{figure}"
"""


def test_a_published_figure_stands_next_to_a_player_at_a_position(written, capsys):
    figure = "table3.must-play-1k.mogo"
    _, out = run(written(more=PUBLISHED.format(player="rave", figure=figure)))

    results = reader.read(out)
    plain, rave = report.plain(results)
    assert [match.published for match in results.matches] == ["", figure]
    assert (plain["published_rate"], rave["published_rate"]) == (None, 32)
    assert [row[:2] for row in report.summary(results).rows] == [
        ["capture", "plain"],
        ["capture", "rave"],
    ]
    [compared] = report.compared(results)
    assert (compared.name, compared.match) == (figure, "rave at capture")


@pytest.mark.parametrize(
    ("more", "says"),
    [
        (
            PUBLISHED.format(player="ravel", figure="table3.must-play-1k.mogo"),
            'positions.published.capture.ravel: "ravel" is not among the players; '
            'did you mean "rave"?',
        ),
        (
            PUBLISHED.format(player="rave", figure="table3.must-play-1k.mog"),
            "positions.published.capture.rave: "
            '"table3.must-play-1k.mog" is unknown; did you mean "table3.must-play-1k.mogo"?',
        ),
        (
            PUBLISHED.format(player="rave", figure="").replace("capture", "captive"),
            'positions.published.captive: "captive" is not a position; did you mean "capture"?',
        ),
        ("runs = 3\npublished = 4", "positions.published: 4 must be a table"),
    ],
)
def test_a_published_figure_of_nobody_is_one_line(more, says, written, capsys):
    status, _ = run(written(more=more))

    line, *quoted = capsys.readouterr().err.splitlines()
    assert (status, says in line) == (2, True), line
    assert [one.startswith("    ") for one in quoted] == [True]


def test_several_players_at_several_positions_have_a_panel_each(written):
    pytest.importorskip("matplotlib")
    both = ONE + CAPTURE.replace("capture", "again").format(more="")
    _, out = run(written(both, more="runs = 1\nsimulations = [10, 20]"))

    panels = report.figure(reader.read(out), None).axes

    assert [axes.get_title() for axes in panels] == ["plain", "rave"]
    for axes in panels:
        assert [c.get_label() for c in axes.containers] == ["capture", "again"]
