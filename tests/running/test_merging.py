"""Portions of a job played apart and merged: row for row what one run of all games gives."""

import io
import json
import shutil
import sys
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import h5py
import pytest
from conftest import run_alone
from run_here import plain_surroundings  # noqa: F401

from mcts_cluster.__main__ import main
from mcts_cluster.matches.portion import ALL, Portion
from mcts_cluster.running import merging, portions
from mcts_cluster.storage import campaign_tables, reader
from mcts_cluster.storage.lock import locked
from mcts_cluster.storage.writer import make_anew

JOB = """
title = "two sites"
seed = 1
[game]
size = 5
[player.tree]
simulations = 30
[player.flat]
playouts = 4
[player.team]
simulations = 12
machines = 2
[[match]]
players = ["tree", "flat"]
games = 11
opening = 2
[[match]]
players = ["team", "flat"]
games = 6
"""


def play(*words, task=""):
    """Run a job, as a task of a job array if there is one."""
    command = [sys.executable, "-m", "mcts_cluster", "run", *map(str, words)]
    ended = run_alone(["env", task, *command] if task else command, seconds=120)
    assert ended.returncode == 0, ended.stderr
    return ended


def mcts_cluster(*words, status=0):
    """Carry out a verb that plays nothing; return what it prints, and its mistake."""
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        assert main(list(map(str, words))) == status
    return Printed(out.getvalue(), err.getvalue())


class Printed(NamedTuple):
    stdout: str
    stderr: str


def rows_of(path):
    rows = reader.read(path).rows
    return sorted(rows, key=lambda row: (row.match, row.number))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A job, its games in one file, and those of two sites in two."""
    folder = tmp_path_factory.mktemp("sites")
    job = folder / "job.toml"
    job.write_text(JOB)
    play(job, "-o", folder / "whole.h5")
    play(job, "-o", folder / "north.h5", "--games", "0:5", "--processes", 1)
    play(job, "-o", folder / "south.h5", "--games", "5:11", "--processes", 2)
    return folder


@pytest.fixture
def sites(folder, tmp_path):
    for path in folder.iterdir():
        shutil.copy(path, tmp_path)
    return tmp_path


def merge(folder, *names, status=0, more=()):
    paths = [folder / f"{name}.h5" for name in names]
    return mcts_cluster("merge", *paths, "-o", folder / "merged.h5", *more, status=status)


def test_two_sites_have_the_rows_of_one_run(sites):
    ended = merge(sites, "north", "south")

    north, south, merged = (reader.read(sites / f"{n}.h5") for n in ("north", "south", "merged"))
    assert rows_of(sites / "merged.h5") == rows_of(sites / "whole.h5")
    assert {row.number for row in north.rows} == set(range(5))
    assert merged.rows == north.rows + south.rows
    assert merged.is_closed
    assert f"{sites}/north.h5: {len(north.rows)} games\n" in ended.stdout
    assert "\n17 of 17 games\n" in ended.stdout


def test_the_runs_of_all_parts_are_inside_with_their_own_games(sites):
    merge(sites, "south", "north")

    merged = reader.read(sites / "merged.h5")
    first, second = merged.runs
    assert (first.portion, second.portion) == ("games 5:11", "games 0:5")
    assert (first.first_game, second.first_game) == (0, 7)
    assert (first.slots, second.slots) == (2, 1)
    assert first.arguments.endswith("--games 5:11 --processes 2")
    assert {row.worker for row in merged.rows[7:]} == {
        row.worker for row in reader.read(sites / "north.h5").rows
    }
    assert all(row.worker.playouts_per_second > 1000 for row in merged.rows)


def test_other_verbs_read_a_merged_file_as_they_read_that_of_one_run(sites):
    merge(sites, "north", "south")
    whole, merged = sites / "whole.h5", sites / "merged.h5"

    for words in (["--format", "json"], ["--format", "markdown"], []):
        assert (
            mcts_cluster("table", merged, *words).stdout
            == mcts_cluster("table", whole, *words).stdout
        )
    assert "every move is the same" in mcts_cluster("replay", merged, 16).stdout
    assert mcts_cluster("export", merged, "--format", "sgf").stdout.count("(;") == 17
    assert mcts_cluster("export", merged, "--format", "csv").stdout.count("\n") == 18
    assert "games 5:11" in mcts_cluster("show", merged).stdout
    with h5py.File(merged) as file, h5py.File(whole) as other:
        for name in ("games", "void", "success_rate", "wanted", "first"):
            assert file["matches"][name][:].tolist() == other["matches"][name][:].tolist()


def test_run_continues_a_merged_file(sites):
    job = sites / "job.toml"
    play(job, "-o", sites / "some.h5", "--games", "6:8")
    merge(sites, "north", "some")

    ended = play(job, "-o", sites / "merged.h5")

    assert "continues after 12 games" in ended.stderr
    assert rows_of(sites / "merged.h5") == rows_of(sites / "whole.h5")
    runs = reader.read(sites / "merged.h5").runs
    assert [run.portion for run in runs] == ["games 0:5", "games 6:8", ""]
    assert [run.first_game for run in runs] == [0, 10, 12]


def test_games_in_several_files_are_taken_once(sites):
    shutil.copy(sites / "north.h5", sites / "copy.h5")

    merge(sites, "north", "whole", "copy", "south")

    merged = reader.read(sites / "merged.h5")
    assert rows_of(sites / "merged.h5") == rows_of(sites / "whole.h5")
    # The copy's run is the one of its original; that of the south has played no game of these.
    assert [run.portion for run in merged.runs] == ["games 0:5", "", "games 5:11"]
    assert [run.first_game for run in merged.runs] == [0, 10, 17]


def test_a_file_that_went_on_at_two_sites_is_one_again(sites):
    job = sites / "job.toml"
    shutil.copy(sites / "north.h5", sites / "copy.h5")
    play(job, "-o", sites / "north.h5", "--games", "5:8")
    play(job, "-o", sites / "copy.h5", "--games", "7:11")

    merge(sites, "north", "copy")

    assert rows_of(sites / "merged.h5") == rows_of(sites / "whole.h5")
    runs = reader.read(sites / "merged.h5").runs
    assert [run.portion for run in runs] == ["games 0:5", "games 5:8", "games 7:11"]


WRITE = """if True:
    import os, pathlib, sys
    from mcts_cluster.storage import reader
    from mcts_cluster.storage.writer import Writer
    path = pathlib.Path(sys.argv[1])
    writer = Writer(path, reader.read(path))
    os._exit(0)
"""


def test_a_file_that_is_still_written_can_be_merged_as_it_stands(sites):
    # As it is in the middle of a run, or after a kill.
    assert run_alone([sys.executable, "-c", WRITE, str(sites / "south.h5")], 60).returncode == 0
    assert not reader.read(sites / "south.h5").is_closed

    with locked(sites / "south.h5"):
        ended = merge(sites, "north", "south")

    assert f"{sites}/north.h5: 10 games\n" in ended.stdout
    assert f"{sites}/south.h5: 7 games, and a run is writing it\n" in ended.stdout
    assert reader.read(sites / "merged.h5").is_closed
    assert rows_of(sites / "merged.h5") == rows_of(sites / "whole.h5")


# Job arrays


def test_each_task_of_an_array_has_its_part_and_its_file(sites):
    words = [sites / "job.toml", "-o", sites / "table.h5", "--array", 3]
    for number in (1, 2, 3):
        play(*words, task=f"SLURM_ARRAY_TASK_ID={number}")

    names = [f"table.{number}-of-3" for number in (1, 2, 3)]
    parts = [{row.number for row in reader.read(sites / f"{name}.h5").rows} for name in names]
    assert parts == [{0, 1, 6, 7}, {2, 3, 8, 9}, {4, 5, 10}]
    assert not (sites / "table.h5").exists()
    merge(sites, *names)
    assert rows_of(sites / "merged.h5") == rows_of(sites / "whole.h5")


@pytest.mark.parametrize("variable", ["SLURM_ARRAY_TASK_ID", "OAR_ARRAY_INDEX"])
def test_the_part_of_a_task_is_the_one_that_the_batch_system_says(variable):
    assert portions.of_task(8, {variable: "3"}) == Portion(part=3, parts=8)
    assert portions.of_task(1, {variable: "1", "OTHER": "2"}) == ALL


def test_a_part_can_be_named_and_shows_how_far_it_is(sites, monkeypatch):
    monkeypatch.chdir(sites)
    play("job.toml", "--part", "2/3", "--set", "match.games=11")

    said = mcts_cluster("show", "results/job.2-of-3.h5").stdout
    assert "\n8 of 22 games\npart 2/3: 8 of 8 games\n" in said
    assert ", part 2/3, complete after " in said


@pytest.mark.parametrize(
    ("words", "task", "mistake"),
    [
        (
            ["--array", "3"],
            "",
            "--array 3: this is no task of a job array, SLURM_ARRAY_TASK_ID and OAR_ARRAY_INDEX "
            "are not set; --part K/3 names the part",
        ),
        (["--array", "3"], "4", "--array 3: this is task 4, must be from 1 to 3"),
        (["--array", "3"], "0", "--array 3: this is task 0, must be from 1 to 3"),
        (["--array", "0"], "1", "--array 0: too small, must be at least 1"),
        (["--part", "4/3"], "", "--part 4/3: must be K/N, such as 3/8, from 1/N to N/N"),
        (
            ["--games", "11:20"],
            "",
            "games 11:20: there are none, the longest match has 11 games",
        ),
        (["--part", "7/7"], "", "part 7/7: there are none, the longest match has 11 games"),
        (["--races", "1:2"], "", "--races: not for this job, must be --games"),
    ],
)
def test_a_portion_that_cannot_be_is_refused(words, task, mistake, sites, monkeypatch):
    monkeypatch.setenv("SLURM_ARRAY_TASK_ID", task)
    before = set(sites.iterdir())

    command = ["run", sites / "job.toml", "-o", sites / "x.h5", *words]
    ended = mcts_cluster(*command, status=2)

    assert ended.stderr == f"mcts-cluster: {mistake}\n"
    assert set(sites.iterdir()) == before


# What is not merged


def changed(path, other, change):
    """Write a file whose last row is another one."""
    results = reader.read(path)
    *rows, last = results.rows
    make_anew(other, replace(results, rows=(*rows, change(last))))
    return last


def other_move(row):
    return replace(row, moves=(*row.moves[:-1], row.moves[-1] - 1))


@pytest.mark.parametrize(
    ("change", "what"),
    [
        (other_move, "move {plies}"),
        (lambda row: replace(row, points=1 - row.points), "points"),
        (lambda row: replace(row, seed=7, how="?"), "how, seed"),
        (lambda row: replace(row, moves=row.moves[:-2]), "move {before}"),
    ],
)
def test_two_different_games_of_one_number_are_told_and_nothing_is_written(change, what, sites):
    last = changed(sites / "whole.h5", sites / "other.h5", change)
    before = set(sites.iterdir())

    ended = merge(sites, "whole", "other", status=2)

    where = f"game {last.number} of {last.match}"
    found = what.format(plies=last.plies, before=last.plies - 1)
    assert ended.stdout == ""
    assert ended.stderr == (
        f"mcts-cluster: {sites}/other.h5: {where} is another one than in "
        f"{sites}/whole.h5: {found}\n"
    )
    assert set(sites.iterdir()) == before


def test_times_and_hosts_may_differ(sites):
    def elsewhere(row):
        worker = replace(row.worker, host="elsewhere", playouts_per_second=1.0)
        return replace(row, worker=worker, began=1.0, ended=2.0, seconds=(1.0, 2.0))

    changed(sites / "whole.h5", sites / "other.h5", elsewhere)

    merge(sites, "other", "whole")

    assert reader.read(sites / "merged.h5").rows[-1].worker.host == "elsewhere"


def test_files_of_other_jobs_are_refused(sites):
    job = sites / "job.toml"
    words = ["--games", "0:2", "--set", "player.tree.simulations=31"]
    play(job, "-o", sites / "other.h5", *words)

    ended = merge(sites, "north", "other", status=2)

    assert ended.stderr == (
        f"mcts-cluster: {sites}/other.h5: of another job than {sites}/north.h5: "
        f"player.tree.simulations: 31 in {sites}/other.h5, 30 in {sites}/north.h5\n"
    )
    assert not (sites / "merged.h5").exists()


def test_what_makes_it_another_job_is_told_and_not_that_it_is_larger(sites):
    job = sites / "job.toml"
    words = ["--games", "0:1", "--set", "match.games=14", "--set", "player.flat.playouts=5"]
    play(job, "-o", sites / "other.h5", *words)

    ended = merge(sites, "north", "other", "south", status=2)

    assert ended.stderr == (
        f"mcts-cluster: {sites}/north.h5: of another job than {sites}/other.h5: "
        f"player.flat.playouts: 4 in {sites}/north.h5, 5 in {sites}/other.h5\n"
    )


def test_one_job_may_have_grown_meanwhile(sites):
    job = sites / "job.toml"
    play(job, "-o", sites / "more.h5", "--games", "5:14", "--set", "match.games=14")

    merge(sites, "north", "more")

    merged = reader.read(sites / "merged.h5")
    assert [match.games for match in merged.matches] == [14, 14]
    assert merged.overrides == "match.games=14"
    assert {(row.match, row.number) for row in merged.rows} >= {
        (row.match, row.number) for row in reader.read(sites / "whole.h5").rows
    }
    assert len(merged.rows) == 28


def by_version(path, version):
    results = reader.read(path)
    runs = tuple(replace(run, version=version, commit="abc") for run in results.runs)
    make_anew(path, replace(results, runs=runs))


def test_games_of_two_versions_are_merged_only_if_that_is_asked_for(sites):
    by_version(sites / "north.h5", "0.3.0")
    by_version(sites / "south.h5", "0.2.9")

    ended = merge(sites, "north", "south", status=2)

    assert ended.stderr == (
        f"mcts-cluster: {sites}/south.h5: played by mcts_cluster 0.2.9 abc, {sites}/north.h5 by "
        "0.3.0 abc; with --mixed-versions they are merged\n"
    )
    ended = merge(sites, "north", "south", more=["--mixed-versions"])
    assert "played by 2 versions: 0.3.0 abc (10 games), 0.2.9 abc (7 games)\n" in ended.stdout


@pytest.mark.parametrize(
    ("names", "mistake"),
    [
        (["north"], "{sites}/north.h5: there must be two files or more"),
        (["north", "south", "north"], "{sites}/north.h5: is given twice"),
        (["north", "none"], "{sites}/none.h5: no such file"),
    ],
)
def test_files_that_cannot_be_merged_are_refused(names, mistake, sites):
    ended = merge(sites, *names, status=2)

    assert ended.stderr == f"mcts-cluster: {mistake.format(sites=sites)}\n"
    assert not (sites / "merged.h5").exists()


def test_no_file_is_overwritten(sites):
    merge(sites, "north", "south")
    before = (sites / "merged.h5").read_bytes()

    ended = merge(sites, "north", "whole", status=2)

    assert ended.stderr == (
        f"mcts-cluster: {sites}/merged.h5: exists already, must be a new file\n"
    )
    assert (sites / "merged.h5").read_bytes() == before


# Void games


def void(row, attempt=0):
    return replace(row, points=None, how="it died", moves=(), attempt=attempt)


def parts(sites, *changes):
    """Return two results, of which some rows are others."""
    whole = reader.read(sites / "whole.h5")
    first, *rest = whole.rows
    found = [replace(whole, rows=(*change(first), *rest)) for change in changes]
    return {Path(f"{number}.h5"): results for number, results in enumerate(found)}


@pytest.mark.parametrize(
    ("one", "other", "chosen"),
    [
        # The one that counts, whether it comes first or not.
        (lambda row: [void(row)], lambda row: [row], 1),
        (lambda row: [row], lambda row: [void(row)], 0),
        # The one that was tried more often.
        (lambda row: [void(row)], lambda row: [void(row), void(row, 1)], 1),
        (lambda row: [void(row)], lambda row: [void(row)], 0),
        # With what was void before.
        (lambda row: [void(row), replace(row, attempt=1)], lambda row: [void(row)], 0),
    ],
)
def test_of_void_games_the_file_that_knows_more_is_taken(one, other, chosen, sites):
    both = parts(sites, one, other)

    merged = merging.merged(both)

    first = both[Path("0.h5")].rows[0]
    assert of_game(merged, first) == of_game(both[Path(f"{chosen}.h5")], first)
    assert len({(row.match, row.number) for row in merged.rows}) == 17


def of_game(results, game):
    return [r for r in results.rows if (r.match, r.number) == (game.match, game.number)]


def test_a_game_that_counts_as_another_attempt_elsewhere_is_another_one(sites):
    both = parts(sites, lambda row: [row], lambda row: [void(row), replace(row, attempt=1)])

    with pytest.raises(merging.UserError, match=r"^1\.h5: game 0 of .*: attempt$"):
        merging.merged(both)


# The other kinds


def test_positions_are_merged_too(tmp_path):
    root = Path(__file__).parents[2]
    job = tmp_path / "positions.toml"
    job.write_text(
        "seed = 2\n[player.a]\nsimulations = 20\n[positions]\n"
        f"file = {json.dumps(str(root / 'jobs' / 'positions-go9.txt'))}\n"
        "players = ['a']\nsimulations = [10, 20]\nruns = 6\n"
    )
    play(job, "-o", tmp_path / "whole.h5")
    for number in (1, 2):
        words = ["--part", f"{number}/2", "-o", tmp_path / "part.h5"]
        play(job, *words)

    merge(tmp_path, "part.1-of-2", "part.2-of-2")

    assert rows_of(tmp_path / "merged.h5") == rows_of(tmp_path / "whole.h5")
    tables = [mcts_cluster("table", tmp_path / f"{n}.h5").stdout for n in ("whole", "merged")]
    assert tables[0] == tables[1]


CAMPAIGN = """
title = "a campaign"
seed = 1
[game]
size = 5
[player.weak]
simulations = 8
megabytes = 1
[campaign]
player = "weak"
lower = 0.55
upper = 0.75
first_batch = 20
iterations = 4
"""


@pytest.fixture(scope="module")
def races(tmp_path_factory):
    """A campaign, the file of a whole run, and that of a run with fewer races and other workers."""
    folder = tmp_path_factory.mktemp("races")
    job = folder / "job.toml"
    job.write_text(CAMPAIGN)
    play(job, "-o", folder / "whole.h5", "--processes", 1)
    less = ["--set", "campaign.iterations=2"]
    play(job, "-o", folder / "less.h5", "--processes", 3, *less)
    return folder


def verdicts_of(path):
    """Return what a file tells of its races, but for when."""
    told = campaign_tables.in_file(reader.read(path))
    looks = {
        record.match: (record.picture, record.looks, record.estimates)
        for record in told.candidates
        if record.looks
    }
    ends = [(v.iteration, [e.match for e in v.accepted], v.games, v.spent) for v in told.verdicts]
    return looks, ends


@pytest.mark.parametrize("names", [("whole", "less"), ("less", "whole")])
def test_campaigns_are_merged_with_the_verdicts_of_one_run(names, races, tmp_path):
    for path in races.iterdir():
        shutil.copy(path, tmp_path)

    merge(tmp_path, *names)

    merged = tmp_path / "merged.h5"
    assert verdicts_of(merged) == verdicts_of(tmp_path / "whole.h5")
    assert len(verdicts_of(merged)[1]) == 4
    found = {(row.match, row.number): row for row in reader.read(merged).rows}
    assert len(found) == len(reader.read(merged).rows)
    for name in names:
        rows = reader.read(tmp_path / f"{name}.h5").rows
        assert all(found[row.match, row.number] == row for row in rows)
    for words in (["show"], ["table"], ["export", "--format", "csv"]):
        assert mcts_cluster(words[0], merged, *words[1:]).stdout


def test_a_campaign_that_was_cut_off_is_completed_by_another_one_and_continued(races, tmp_path):
    whole = reader.read(races / "whole.h5")
    half = len(whole.rows) // 2
    for name, rows in (("odd", whole.rows[1:half:2]), ("even", whole.rows[:half:2])):
        # As a kill leaves it: the tables of a campaign are those of its games.
        results = replace(whole, rows=rows)
        parts = {Path("x"): results}
        tables = merging.KINDS["campaign"].merged_tables(results, parts, Path("x"))
        make_anew(tmp_path / f"{name}.h5", replace(results, tables=tables))

    merge(tmp_path, "odd", "even")
    assert len(reader.read(tmp_path / "merged.h5").rows) == half
    play(races / "job.toml", "-o", tmp_path / "merged.h5")

    assert verdicts_of(tmp_path / "merged.h5") == verdicts_of(races / "whole.h5")


def test_campaigns_with_other_patterns_are_not_of_one_job(races, tmp_path):
    results = reader.read(races / "less.h5")
    pictures = results.tables["pictures"]
    strength = next(n for n, one in enumerate(pictures.content) if "strength" in one.line)
    lines = list(pictures.content)
    lines[strength] = replace(lines[strength], line="strength = 0.2")
    tables = {**results.tables, "pictures": replace(pictures, content=lines)}
    make_anew(tmp_path / "other.h5", replace(results, tables=tables))
    shutil.copy(races / "whole.h5", tmp_path)

    ended = merge(tmp_path, "whole", "other", status=2)

    assert ended.stderr == (
        f"mcts-cluster: {tmp_path}/other.h5: candidate 1 of race 1 has other patterns than in "
        f"{tmp_path}/whole.h5\n"
    )
    assert not (tmp_path / "merged.h5").exists()


def test_races_of_two_sites_are_merged_with_the_verdicts_of_one_run(races, tmp_path):
    job = races / "job.toml"
    play(job, "-o", tmp_path / "north.h5", "--races", "1:3", "--processes", 1)
    play(job, "-o", tmp_path / "campaign.h5", "--part", "2/2")
    south = tmp_path / "campaign.2-of-2.h5"
    said = mcts_cluster("show", south).stdout
    assert "2 of 4 races finished, 0 mutations accepted" in said
    assert ", part 2/2, complete after " in said
    assert [race[0] for race in verdicts_of(south)[1]] == [3, 4]

    merge(tmp_path, "north", "campaign.2-of-2")
    merged = tmp_path / "merged.h5"
    before = len(reader.read(merged).rows)
    ended = play(job, "-o", merged)

    assert verdicts_of(merged) == verdicts_of(races / "whole.h5")
    assert [run.portion for run in reader.read(merged).runs] == ["races 1:3", "part 2/2"]
    # Nothing was left to play.
    assert len(reader.read(merged).rows) == before
    assert "4 of 4 races finished" in ended.stdout


@pytest.mark.parametrize(
    ("words", "mistake"),
    [
        (["--games", "0:5"], "--games: not for this job, must be --races"),
        (["--races", "5:9"], "races 5:9: there are none, the campaign has 4 races"),
        (["--part", "1/5"], "part 1/5: there are none, the campaign has 4 races"),
        (["--races", "0:2"], "--races 0:2: FIRST must be at least 1"),
        (["--races", "2:2"], "--races 2:2: END must be larger than FIRST"),
        (["--races", "2"], "--races 2: must be FIRST:END, such as 1:51 for races 1 to 50"),
    ],
)
def test_a_portion_that_a_campaign_cannot_have_is_refused(words, mistake, races, tmp_path):
    command = ["run", races / "job.toml", "-o", tmp_path / "x.h5", *words]
    ended = mcts_cluster(*command, status=2)

    assert ended.stderr == f"mcts-cluster: {mistake}\n"
    assert list(tmp_path.iterdir()) == []
