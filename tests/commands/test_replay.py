"""Stored games: played again move by move, and written as records and CSV."""

import csv
import io
import re
from dataclasses import replace

import pytest

from cext import build_info
from mcts_cluster import games
from mcts_cluster.__main__ import main
from mcts_cluster.games import hgf, sgf
from mcts_cluster.jobs import compatibility, jobfile
from mcts_cluster.matches import match
from mcts_cluster.storage import reader
from mcts_cluster.storage.results import MatchRecord, Results, RunRecord
from mcts_cluster.storage.writer import Writer

JOB = """
seed = 1
[game]
name = "{game}"
size = 4
[player.a]
simulations = 20
megabytes = 1
[player.b]
playouts = 4
[[match]]
players = ["a", "b"]
games = 4
"""


def stored(tmp_path, text, change=lambda row: row, commit=""):
    """Write a file with all games of a job, one of them changed."""
    job = jobfile.read_text(text)
    [entry] = job.experiment.matches
    rows = [match.play(job, entry, number) for number in range(entry.games)]
    rows[2] = change(rows[2])
    described = compatibility.written(compatibility.describe(job))
    pairing = MatchRecord(entry.key, entry.games)
    runs = (RunRecord(0.0, commit=commit or build_info.commit()),)
    results = Results("", job.game, text, "", described, (pairing,), tuple(rows), runs)
    path = tmp_path / "job.h5"
    Writer(path, results).close(0)
    return path


@pytest.mark.parametrize("game", ["go", "havannah"])
def test_a_game_that_is_played_again_has_the_same_moves(game, tmp_path, capsys):
    path = stored(tmp_path, JOB.replace("{game}", game))

    assert main(["replay", str(path), "2"]) == 0

    first, last = capsys.readouterr().out.splitlines()
    assert first.startswith("game 2: game 2 of a against b, ")
    assert last == "played again: every move is the same"


def test_a_game_is_played_again_without_the_files_that_its_job_names(tmp_path, capsys):
    patterns = tmp_path / "patterns.txt"
    patterns.write_text("pattern\nstrength = 50\nX *\n")
    text = JOB.replace("{game}", "go").replace("megabytes = 1", f'patterns = "{patterns}"')
    path = stored(tmp_path, text)
    for other in ("pattern\nstrength = -50\nX *\n", None):
        patterns.write_text(other) if other else patterns.unlink()

        assert main(["replay", str(path), "2"]) == 0
        assert capsys.readouterr().out.endswith("played again: every move is the same\n")


def test_a_move_that_differs_is_named(tmp_path, capsys):
    text = JOB.replace("{game}", "go")
    path = stored(tmp_path, text, lambda row: replace(row, moves=(*row.moves[:3], 16)))

    assert main(["replay", str(path), "2"]) == 1

    assert "move 4: pass in the file, " in capsys.readouterr().out


def test_a_result_that_differs_is_named(tmp_path, capsys):
    text = JOB.replace("{game}", "go")
    path = stored(tmp_path, text, lambda row: replace(row, points=0.5, how="a draw"))

    assert main(["replay", str(path), "2"]) == 1

    assert "result: 0.5 (a draw) in the file, " in capsys.readouterr().out


def test_the_versions_that_made_a_file_are_named_where_a_game_differs(
    tmp_path, capsys, monkeypatch
):
    text = JOB.replace("{game}", "go")
    path = stored(tmp_path, text, lambda row: replace(row, moves=(16,)), "0ddba11")
    monkeypatch.setattr(build_info, "commit", lambda: "5ca1ab1")

    assert main(["replay", str(path), "2"]) == 1
    assert capsys.readouterr().out.endswith("version 5ca1ab1 plays, 0ddba11 made the file\n")

    assert main(["replay", str(path), "1"]) == 0
    assert "version" not in capsys.readouterr().out


def test_players_that_may_differ_are_named(tmp_path, capsys):
    text = JOB.replace("{game}", "go").replace("simulations = 20", "simulations = 20\nthreads = 2")
    path = stored(tmp_path, text, lambda row: replace(row, moves=(16,)))

    assert main(["replay", str(path), "2"]) == 1

    assert capsys.readouterr().out.endswith("a has several threads: its games may differ\n")


def test_a_file_of_other_players_than_its_job_says_so(tmp_path, capsys):
    path = stored(tmp_path, JOB.replace("{game}", "go"))
    results = reader.read(path)
    settings = results.settings.replace('"stop_early": false', '"stop_early": true')
    Writer(path, replace(results, settings=settings)).close(0)

    main(["replay", str(path), "2"])

    assert capsys.readouterr().out.startswith(
        "this version plays another job: player.a.stop_early: true in the file, false in the job\n"
    )


@pytest.mark.parametrize("number", ["4", "-1"])
def test_a_game_that_is_not_there_is_refused(number, tmp_path, capsys):
    path = stored(tmp_path, JOB.replace("{game}", "go"))

    assert main(["replay", str(path), "--", number]) == 2
    assert f"game {number}: must be a row of /games, 0 to 3" in capsys.readouterr().err


# Records


def exported(path, capsys, *words):
    assert main(["export", str(path), *words]) == 0
    return capsys.readouterr().out


def test_games_of_go_are_written_as_sgf_with_players_and_results(tmp_path, capsys):
    path = stored(tmp_path, JOB.replace("{game}", "go"))
    rows = reader.read(path).rows

    text = exported(path, capsys, "--format", "sgf")

    records = list(sgf.read_all(text))
    assert [tuple(games.from_sgf(record).numbers) for record in records] == [
        row.moves for row in rows
    ]
    lines = [line for line in text.splitlines() if line.startswith("(")]
    assert ["PB[a]PW[b]" in line for line in lines] == [True, False, True, False]
    for row, record in zip(rows, records, strict=True):
        winner = "BW"[(row.points == 0) == (row.number % 2 == 0)]
        assert record.result.startswith(f"{winner}+")
    assert f"C[row 3, game 3 of a against b: {rows[3].how}" in lines[3]


def test_a_record_says_by_which_rules_when_and_by_whom_it_was_played(tmp_path, capsys):
    job = JOB.replace("{game}", "go").replace("playouts = 4", "like = 'a'\nbandit = 'uct'")
    path = stored(tmp_path, job, lambda row: replace(row, began=86400.0 * 365))

    text = exported(path, capsys, "--format", "sgf", "--game", "2")

    assert "RU[Chinese]" in text
    assert "DT[1971-01-01]" in text
    comment = re.search(r"C\[([^\]]*)\]", text)[1].splitlines()
    assert comment[0].startswith("row 2, game 2 of a against b: ")
    # All that the job says of them, with what they have of others.
    own = "simulations = 20, megabytes = 1"
    assert comment[1:] == [f"a: {own}", f'b: {own}, bandit = "uct"']
    assert sgf.read(text).size == 4


@pytest.mark.parametrize(("game", "ending"), [("go", "sgf"), ("havannah", "hgf")])
@pytest.mark.parametrize("out", ["games/", "there"])
def test_a_folder_gets_a_record_of_each_game(game, ending, out, tmp_path, capsys):
    path = stored(tmp_path, JOB.replace("{game}", game))
    (tmp_path / "there").mkdir()
    whole = exported(path, capsys, "--format", "sgf")

    said = exported(path, capsys, "--format", "sgf", "-o", f"{tmp_path}/{out}")

    files = sorted((tmp_path / out).iterdir())
    assert [file.name for file in files] == [f"{number}.{ending}" for number in range(4)]
    assert "".join(file.read_text() for file in files) == whole
    assert said == f"{tmp_path / out}: 4 records\n"


def test_rows_are_no_folder(tmp_path, capsys):
    path = stored(tmp_path, JOB.replace("{game}", "go"))

    assert main(["export", str(path), "--format", "csv", "-o", f"{tmp_path}/rows/"]) == 2

    assert "rows/: a folder, must be a file or a new name" in capsys.readouterr().err
    assert not (tmp_path / "rows").exists()


def test_each_move_is_printed_where_that_is_asked_for(tmp_path, capsys):
    path = stored(tmp_path, JOB.replace("{game}", "go"))
    [row, *_] = reader.read(path).rows

    assert main(["replay", str(path), "0", "--moves"]) == 0

    lines = capsys.readouterr().out.splitlines()
    assert lines[-1] == "played again: every move is the same"
    core = games.new("go", size=4).core
    assert [line.split() for line in lines[1:-1]] == [
        [str(number), ("black", "white")[number % 2 == 0], core.name(move)]
        for number, move in enumerate(row.moves, 1)
    ]


def test_a_move_that_differs_is_printed_with_that_of_now(tmp_path, capsys):
    def other(row):
        return replace(row, moves=(*row.moves[:1], 16, *row.moves[2:]))

    path = stored(tmp_path, JOB.replace("{game}", "go"), other)

    assert main(["replay", str(path), "2", "--moves"]) == 1

    lines = capsys.readouterr().out.splitlines()
    assert re.fullmatch(r" +2 white pass, now \w+", lines[2])
    assert ", now" not in lines[1]


def test_a_game_of_an_older_version_need_not_say_by_what_it_was_won(tmp_path, capsys):
    text = JOB.replace("{game}", "havannah")
    path = stored(tmp_path, text, lambda row: replace(row, how="rules"))

    assert main(["replay", str(path), "2"]) == 0

    assert ", rules\nplayed again" in capsys.readouterr().out


def test_games_of_havannah_are_written_as_hgf(tmp_path, capsys):
    path = stored(tmp_path, JOB.replace("{game}", "havannah"))
    rows = reader.read(path).rows

    text = exported(path, capsys, "--format", "sgf")

    records = list(hgf.read_all(text))
    assert [tuple(games.from_hgf(record).numbers) for record in records] == [
        row.moves for row in rows
    ]
    assert [record.result for record in records] == [
        "WB"[(row.points == 0) == (row.number % 2 == 0)] for row in rows
    ]


@pytest.mark.parametrize(
    ("change", "result"),
    [
        ({"points": None, "how": "it died [at once]"}, "Void"),
        ({"points": 0.5}, "0"),
        ({"points": 1.0, "how": "resigned"}, "B+R"),
        ({"points": 0.0, "how": "gnugo's final_score"}, "W+"),
    ],
)
def test_results_that_the_area_does_not_tell(change, result, tmp_path, capsys):
    text = JOB.replace("{game}", "go")
    path = stored(tmp_path, text, lambda row: replace(row, **change))

    written = exported(path, capsys, "--format", "sgf", "--game", "2")

    assert sgf.read(written).result == result
    assert len(list(sgf.read_all(written))) == 1


def test_rows_are_written_as_csv(tmp_path, capsys):
    path = stored(tmp_path, JOB.replace("{game}", "go"), lambda row: replace(row, points=None))
    rows = reader.read(path).rows

    read = list(csv.DictReader(io.StringIO(exported(path, capsys, "--format", "csv"))))

    assert [(line["game"], line["match"]) for line in read] == [
        (str(number), "a against b") for number in range(4)
    ]
    assert [line["points"] for line in read] == [
        "" if row.points is None else f"{row.points:g}" for row in rows
    ]
    assert [line["counts"] for line in read] == [str(int(row.points is not None)) for row in rows]
    assert [int(line["first_simulations"]) for line in read] == [r.simulations[0] for r in rows]
    assert [int(line["seed"]) for line in read] == [row.seed for row in rows]


def test_what_is_written_into_a_file_is_what_is_printed(tmp_path, capsys):
    path = stored(tmp_path, JOB.replace("{game}", "go"))
    printed = exported(path, capsys, "--format", "csv")

    exported(path, capsys, "--format", "csv", "-o", str(tmp_path / "rows.csv"))

    assert (tmp_path / "rows.csv").read_text() == printed


def test_a_folder_that_is_not_there_is_made(tmp_path, capsys):
    path = stored(tmp_path, JOB.replace("{game}", "go"))
    out = tmp_path / "none" / "rows.csv"

    assert main(["export", str(path), "--format", "csv", "-o", str(out)]) == 0
    assert capsys.readouterr().err == f"mcts-cluster: made the folder {out.parent}\n"
    assert out.read_text().startswith("game,")
