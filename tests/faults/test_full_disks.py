"""Full disks, and files and folders that one may not use: one line, which says what is safe."""

import os
import re
import resource
import shutil
import subprocess
import sys
from functools import partial
from pathlib import Path

import h5py
import pytest
from conftest import python_path, run_alone
from some_rows import rows, written

from mcts_cluster.__main__ import main
from mcts_cluster.storage import reader, schema

JOB = """
[game]
size = 5
[player.a]
simulations = 2
[player.b]
simulations = 3
[[match]]
players = ["a", "b"]
games = 600
"""
RUN = [sys.executable, "-m", "mcts_cluster", "run", "job.toml", "-o", "out/job.h5", "--processes=1"]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", python_path())
    (tmp_path / "job.toml").write_text(JOB)
    (tmp_path / "out").mkdir()
    return tmp_path


def check_ending(ended, path, why):
    """Check that a run has ended in a line, and that all the games that it tells of are there."""
    *others, last = ended.stderr.splitlines()
    found = re.fullmatch(
        rf"mcts-cluster: out/job\.h5: {why}: ([\d,]+) games? (?:is|are) safe; "
        "run again to continue",
        last,
    )
    assert found and not others, ended.stderr
    assert ended.returncode == 1
    results = reader.read(path)
    assert len(results.rows) == int(found[1].replace(",", ""))
    assert not results.is_closed
    return len(results.rows)


def limit_files(kilobytes):
    resource.setrlimit(resource.RLIMIT_FSIZE, (1024 * kilobytes, resource.RLIM_INFINITY))


# Where the file just fits without a row, and where it has some.
@pytest.mark.parametrize("kilobytes", [pytest.param(150, marks=pytest.mark.soak), 400])
def test_a_run_that_meets_the_limit_of_files_ends_in_a_line_and_is_continued(kilobytes, folder):
    limited = partial(limit_files, kilobytes)

    ended = subprocess.run(RUN, capture_output=True, text=True, timeout=120, preexec_fn=limited)

    safe = check_ending(ended, folder / "out" / "job.h5", "File too large")
    again = run_alone(RUN, seconds=120)
    assert again.returncode == 0
    assert f"out/job.h5: continues after {safe} games" in again.stderr
    assert sorted(row.number for row in reader.read(Path("out/job.h5")).rows) == [*range(600)]


ON_RANKS = ["mpiexec", "-n", "3", *RUN[:-1]]


@pytest.mark.parametrize("run", [RUN, pytest.param(ON_RANKS, marks=pytest.mark.soak)])
def test_a_run_on_a_full_disk_ends_in_a_line(run, folder):
    mount = "mount -t tmpfs -o size=400k none out 2>/dev/null || exit 77"
    # The file is taken along, since the file system ends with the command.
    command = f'{mount}; "$@"; status=$?; cp out/job.h5 kept.h5; exit $status'
    if not shutil.which("unshare"):
        pytest.skip("no unshare here")

    ended = run_alone(
        ["unshare", "-m", "sh", "-c", command, "sh", *run, "--set=match.games=40_000"], seconds=120
    )

    if "unshare" in ended.stderr or ended.returncode == 77:
        pytest.skip("no file system can be mounted here")
    if run is ON_RANKS:
        # A launcher says more, and not the same everywhere.
        [ended.stderr] = [line for line in ended.stderr.splitlines() if "mcts-cluster: " in line]
    assert check_ending(ended, folder / "kept.h5", "No space left on device") > 0


def test_a_disk_without_room_for_a_new_file_leaves_the_old_one(folder):
    path = written(folder / "out" / "job.h5", rows(20))
    before = path.read_bytes()
    limited = partial(limit_files, 20)
    merge = [sys.executable, "-m", "mcts_cluster", "merge", "a.h5", "b.h5", "-o", "out/new.h5"]
    shutil.copy(path, "a.h5")
    shutil.copy(path, "b.h5")

    ended = subprocess.run(merge, capture_output=True, text=True, timeout=60, preexec_fn=limited)

    assert (ended.returncode, ended.stderr) == (
        1,
        "mcts-cluster: out/new.h5: cannot be written: File too large\n",
    )
    assert [one.name for one in Path("out").iterdir()] == ["job.h5"]
    assert path.read_bytes() == before


# What one may not use

UNREADABLE = [
    "show secret.h5",
    "table secret.h5",
    "plot secret.h5 -o out/x.svg",
    "report open.h5 secret.h5 -o out/x.html",
    "export secret.h5 --format csv",
    "export secret.h5 --format ro-crate -o out/crate",
    "replay secret.h5 0",
    "validate secret.h5 -o out/x.toml",
    "merge open.h5 secret.h5 -o out/x.h5",
    "run job.toml -o secret.h5",
    "repair secret.h5",
]
UNWRITABLE = [
    "run job.toml -o closed/x.h5",
    "run job.toml -o closed/new/x.h5",
    "repair closed/job.h5",
    "merge open.h5 again.h5 -o closed/x.h5",
    "export open.h5 --format ro-crate -o closed/crate",
    "export open.h5 --format ro-crate -o closed",
]
EVERYTHING = "import shlex, sys\nfrom mcts_cluster.__main__ import main\n" + (
    "for line in sys.stdin.read().splitlines():\n"
    "    print('status', main(shlex.split(line)), file=sys.stderr, flush=True)\n"
)


def told_of(lines):
    """Return what is told of some commands, by a user whom rights bind, as root they do not."""
    command = [sys.executable, "-c", EVERYTHING]
    if os.geteuid() == 0:
        if not shutil.which("setpriv"):
            pytest.skip("root may do everything here, and there is no setpriv")
        command = ["setpriv", "--bounding-set=-dac_override,-dac_read_search", *command]
    ended = run_alone(command, seconds=120, text="\n".join(lines))
    assert ended.returncode == 0, ended.stderr
    return ended.stderr.splitlines()


def test_a_file_that_may_not_be_read_is_refused_in_a_line_by_every_verb(folder):
    for name in ("open.h5", "again.h5", "secret.h5"):
        written(folder / name, rows(4))
    (folder / "secret.h5").chmod(0)

    refused = "mcts-cluster: secret.h5: cannot be read: permission denied"
    assert told_of(UNREADABLE) == [refused, "status 2"] * len(UNREADABLE)


def test_a_folder_that_may_not_be_written_is_refused_in_a_line(folder):
    for name in ("open.h5", "again.h5"):
        written(folder / name, rows(4))
    (folder / "closed").mkdir()
    written(folder / "closed" / "job.h5", rows(4))
    (folder / "closed").chmod(0o555)

    *others, last = told_of(UNWRITABLE)

    assert [*others, last][1::2] == ["status 2"] * len(UNWRITABLE)
    lines = [*others, last][::2]
    assert all(re.search(r"closed(/\S+)?: .*Permission denied$", line) for line in lines), lines


# Other files


def test_the_files_of_others_are_refused_in_a_line(folder, capsys):
    with h5py.File("other.h5", "w", userblock_size=512) as file:
        file["points"] = [1, 2]
    with h5py.File("silent.h5", "w") as file:
        file.attrs["creator"] = "mcts_cluster"
    with h5py.File(written(folder / "newer.h5", rows(4)), "r+") as file:
        file.attrs["schema_version"] = schema.SCHEMA + 1
    with h5py.File(written(folder / "loud.h5", rows(4)), "r+") as file:
        file["job/title"][()] = "x" * 20_000_000

    told = []
    for name in ("other", "silent", "newer", "loud"):
        assert main(["show", f"{name}.h5"]) == 2
        told += capsys.readouterr().err.splitlines()

    assert told == [
        "mcts-cluster: other.h5: not an HDF5 file that can be read: file signature not found",
        "mcts-cluster: silent.h5: not an HDF5 file that can be read: can't locate attribute",
        "mcts-cluster: newer.h5: written by another version of mcts_cluster: "
        f"schema {schema.SCHEMA + 1}, must be {schema.OLDEST} to {schema.SCHEMA}",
        "mcts-cluster: loud.h5: damaged: job/title has other values than were written",
    ]
