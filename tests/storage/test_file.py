"""The HDF5 file of a job: what goes in comes out."""

import os
import shutil
import sys
from dataclasses import fields, replace
from math import isnan

import h5py
import pytest
from conftest import run_alone
from some_rows import EMPTY, KEYS, row, rows, written

from mcts_cluster.columns import MAX_TEXT, columns_of
from mcts_cluster.errors import UserError
from mcts_cluster.matches.game_record import WorkerInfo
from mcts_cluster.matches.setup import MatchKey
from mcts_cluster.storage import new_file, reader, schema
from mcts_cluster.storage.lock import locked
from mcts_cluster.storage.results import MatchRecord, RunRecord, Tally, axis_of, is_axis
from mcts_cluster.storage.writer import Writer

TALLIES = [column.name for column in columns_of(Tally)]


def everything(row):
    """Return also what is not compared."""
    named = [getattr(row, field.name) for field in fields(row)]
    return [*named, row.worker.playouts_per_second]


@pytest.fixture
def path(tmp_path):
    return tmp_path / "job.h5"


def test_what_is_written_is_read(path):
    results = reader.read(written(path, rows(100), status=3))

    assert results.rows == rows(100)
    assert [everything(a) for a in results.rows] == [everything(b) for b in rows(100)]
    [run] = results.runs
    assert (run.status, run.ended > run.began) == (3, True)
    known = {"status": -1, "ended": 0, "busy": 0}
    assert replace(run, **known) == replace(EMPTY.runs[0], **known)
    assert replace(results, rows=(), runs=EMPTY.runs) == EMPTY


def test_a_file_without_a_row_can_be_read(path):
    assert reader.read(written(path)).rows == ()


def test_rows_in_many_flushes_are_as_good_as_in_one(path, tmp_path):
    writer = Writer(path, EMPTY)
    for i in range(50):
        writer.append(rows(i, i + 1))
        writer.flush()
    writer.close(0)

    assert reader.read(path).rows == rows(50)


def test_a_file_continued_keeps_its_rows_and_runs(path):
    first = reader.read(written(path, rows(30)))
    again = replace(first, runs=(*first.runs, RunRecord(began=2.5, first_game=30)))

    results = reader.read(written(path, rows(30, 70), results=again))

    assert results.rows == rows(70)
    assert [(run.began, run.first_game, run.status) for run in results.runs] == [
        (1.5, 0, 0),
        (2.5, 30, 0),
    ]


def test_texts_are_cut_off_where_they_are_too_long(path):
    long = replace(row(0), how="é" * MAX_TEXT, worker=WorkerInfo("h" * 1000))

    [read] = reader.read(written(path, [long])).rows

    assert read.how == "é" * (MAX_TEXT // 2)
    assert read.worker.host == "h" * MAX_TEXT


def test_matches_have_the_rates_that_their_games_come_to(path):
    wins = [replace(row(i), match=KEYS[0], points=float(i < 63)) for i in range(100)]
    void = [replace(row(i), match=KEYS[0], points=None) for i in range(3)]

    with h5py.File(written(path, [*wins, *void])) as file:
        found = {name: file["matches"][name][:].tolist() for name in TALLIES}

    assert found["games"] == [100, 0]
    assert found["void"] == [3, 0]
    assert found["success_rate"][0] == 63
    assert found["success_rate_errors"][0] == pytest.approx(4.83483, rel=1e-5)
    assert isnan(found["success_rate"][1])


def test_a_match_is_known_by_its_key_whatever_its_text_is(path):
    pairs = MatchKey("a against b", "c"), MatchKey("a", "b against c")
    matches = tuple(MatchRecord(pair, 9) for pair in pairs)
    games = tuple(replace(row(i), match=pairs[i % 2]) for i in range(8))

    read = reader.read(written(path, games, results=replace(EMPTY, matches=matches)))

    assert matches[0].name == matches[1].name
    assert read.matches == matches
    assert read.rows == games
    with h5py.File(path) as file:
        assert file["games/match"][:8].tolist() == [0, 1] * 4
        assert file["matches/void"][:].tolist() == [0, 2]


# Other files


def test_a_file_that_is_none_is_refused(path):
    with pytest.raises(UserError, match=r"job\.h5: no such file$"):
        reader.read(path)


def test_a_text_is_no_hdf5_file(path):
    path.write_text("text")

    with pytest.raises(UserError) as refused:
        reader.read(path)

    assert str(refused.value) == (
        f"{path}: not an HDF5 file that can be read: file signature not found"
    )


@pytest.mark.parametrize("kept", [100, 5000, -1000])
def test_a_file_that_is_cut_off_is_refused_in_a_line(path, kept, monkeypatch):
    monkeypatch.setattr(reader, "SECONDS_BETWEEN_ATTEMPTS", 0)
    content = written(path).read_bytes()
    path.write_bytes(content[:kept])

    # HDF5 itself would wait for the rest.
    with pytest.raises(UserError) as refused:
        reader.read(path)

    assert str(refused.value) == f"{path}: not an HDF5 file that can be read: truncated file"


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (OSError("Unable to open (truncated file: eof = 96, stored_eof = 20)"), "truncated file"),
        (OSError(13, "Unable to open file (unable to open file: errno = 13)"), "permission denied"),
        (KeyError("Unable to open object (object 'x' doesn't exist)"), "object 'x' doesn't exist"),
        (IndexError("no row"), "no row"),
    ],
)
def test_of_an_error_of_h5py_remains_what_helps(error, text):
    assert reader.reason(error) == text


def test_an_hdf5_file_of_others_is_refused(path):
    h5py.File(path, "w").close()

    with pytest.raises(UserError, match="an HDF5 file, but not one of mcts_cluster"):
        reader.read(path)


@pytest.mark.parametrize("other", [schema.OLDEST - 1, schema.SCHEMA + 1])
def test_a_file_of_another_schema_is_refused(path, other):
    with h5py.File(written(path), "r+") as file:
        file.attrs["schema_version"] = other

    with pytest.raises(
        UserError,
        match=r"job\.h5: written by another version of mcts_cluster: "
        rf"schema {other}, must be {schema.OLDEST} to {schema.SCHEMA}$",
    ):
        reader.read(path)


def test_columns_that_an_older_file_lacks_are_read_as_missing(path):
    with h5py.File(written(path, rows(3)), "r+") as file:
        file.attrs["schema_version"] = schema.OLDEST
        del file["games/first_full_searches"], file["games/second_replies"]
    games = reader.read(path).rows

    full = [game.full_searches for game in games]
    assert full == [(-1, second) for _, second in full] and len(full) == 3
    assert [game.exchanges[1].replies for game in games] == [0, 0, 0]


@pytest.mark.parametrize(
    ("version", "column"), [(schema.OLDEST, "seed"), (schema.SCHEMA, "first_full_searches")]
)
def test_another_column_that_a_file_lacks_is_no_matter_of_its_age(path, version, column):
    with h5py.File(written(path), "r+") as file:
        file.attrs["schema_version"] = version
        del file[f"games/{column}"]

    with pytest.raises(UserError, match=r"job\.h5: not an HDF5 file that can be read: "):
        reader.read(path)


def test_a_column_that_came_without_a_new_schema_may_be_lacking(path):
    with h5py.File(written(path, rows(3)), "r+") as file:
        assert file.attrs["schema_version"] == schema.SCHEMA
        del file["runs/portion"], file["runs/placement"]

    results = reader.read(path)

    assert [(run.portion, run.placement) for run in results.runs] == [("", "")]
    assert results.rows == rows(3)


# One writer


def test_two_runs_cannot_write_one_file(path):
    with locked(path):
        code = (
            "import sys; from pathlib import Path; from mcts_cluster.storage.lock import locked\n"
            "with locked(Path(sys.argv[1])): print('both')"
        )
        ended = run_alone([sys.executable, "-c", code, str(path)], seconds=60)

    assert ended.returncode == 1
    assert f"job.h5: is being written by another run (process {os.getpid()} on " in ended.stderr
    assert list(path.parent.iterdir()) == []


def test_a_lock_ends_with_its_owner(path):
    code = (
        "import os, signal, sys; from pathlib import Path\n"
        "from mcts_cluster.storage.lock import locked\n"
        "with locked(Path(sys.argv[1])): os.kill(os.getpid(), signal.SIGKILL)"
    )
    assert run_alone([sys.executable, "-c", code, str(path)], seconds=60).returncode < 0

    with locked(path):
        pass

    assert list(path.parent.iterdir()) == []


# What other programs see


def test_every_field_says_what_it_is(path):
    with h5py.File(written(path, rows(3))) as file:
        silent = []
        file.visititems(
            lambda name, item: (
                silent.append(name)
                if isinstance(item, h5py.Dataset) and not item.attrs.get("long_name")
                else None
            )
        )
        assert file["job/text"][()].decode() == EMPTY.text

    assert [name for name in silent if not name.startswith("job/")] == ["readme"]


def test_a_viewer_finds_a_plot_of_the_success_rates(path):
    with h5py.File(written(path, rows(30))) as file:
        entry = file[file.attrs["default"]]
        group = entry[entry.attrs["default"]]
        name = group.attrs["signal"]
        signal, errors, axis = group[name], group[f"{name}_errors"], group[group.attrs["axes"]]

        classes = [one.attrs["NX_class"] for one in (file, entry, group)]
        assert classes == ["NXroot", "NXentry", "NXdata"]
        assert group["title"][()] == file["job/title"][()]
        assert (signal.shape, errors.shape, axis[:].tolist()) == ((2,), (2,), [500, 1000])
        assert signal.attrs["units"] == "%"


def test_a_curve_is_over_what_rises():
    def over(*pairs):
        return axis_of(
            [MatchRecord(MatchKey("a", "b"), 1, simulations=s, machines=m) for s, m in pairs]
        )

    assert over((100, 8), (200, 8)) == "simulations"
    assert over((100, 4), (100, 8)) == "machines"
    assert over((100, 4), (200, 8)) == "simulations"
    assert over((100, 8), (100, 4)) == ""


@pytest.mark.parametrize(
    ("numbers", "is_one"),
    [([1, 2, 3], True), ([0, 1], False), ([2, 1], False), ([1, 1], False), ([5], False)],
)
def test_an_axis_rises(numbers, is_one):
    assert is_axis(numbers) == is_one


def test_h5dump_of_any_age_reads_the_file(path):
    if not shutil.which("h5dump"):
        pytest.skip("no h5dump here (Debian: apt install hdf5-tools)")

    ended = run_alone(["h5dump", str(written(path, rows(40)))], seconds=60)

    assert (ended.returncode, ended.stderr) == (0, "")
    assert 'DATASET "success_rate"' in ended.stdout
    assert '(0): "because of 0 ' in ended.stdout


def test_silx_plots_the_file(path):
    reason = "no silx here: pip install '.[viewer]'"
    nxdata = pytest.importorskip("silx.io.nxdata", reason=reason)
    with h5py.File(written(path, rows(40))) as file:
        plot = nxdata.get_default(file)

        assert plot.is_valid
        assert plot.title == "a title"
        assert plot.axes[0][()].tolist() == [500, 1000]
        assert plot.errors is not None


def test_it_breaks_no_rule_of_nexus(path):
    reason = "no nexusformat here: pip install '.[viewer]'"
    validate = pytest.importorskip("nexusformat.nexus.validate", reason=reason)

    _, errors = validate.validate_file(str(written(path, rows(40))))

    assert errors == 0


@pytest.mark.parametrize(
    ("games", "chunk"), [(1, 512), (65536, 512), (65537, 1024), (10**7, 131072)]
)
def test_the_chunks_of_a_column_never_are_many(games, chunk):
    assert new_file.chunk_for(games) == chunk
    assert games / chunk <= new_file.MAX_CHUNKS
