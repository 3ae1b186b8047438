"""An environment in one file, from which ranks start on the disk of their node."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from mcts_cluster.__main__ import main
from mcts_cluster.running import packing
from mcts_cluster.storage import reader

JOB = """
[game]
size = 5
[player.a]
simulations = 4
[[match]]
players = ["a", "a"]
games = 4
"""


@pytest.fixture(scope="module")
def pack(tmp_path_factory):
    path = tmp_path_factory.mktemp("pack") / "mcts_cluster.pack"
    assert main(["pack", "-o", str(path)]) == 0
    return path


def environment(folder):
    """Return an environment that leads to nothing of this one."""
    return {"PATH": "/usr/bin:/bin", "MCTS_CLUSTER_UNPACKED": str(folder)}


def unpacked(folder):
    return sorted(folder.glob("mcts_cluster-*/*-*"))


def test_a_pack_unpacks_itself_once_and_plays(pack, tmp_path):
    (tmp_path / "job.toml").write_text(JOB)
    words = [pack, "run", "job.toml", "-o", "job.h5"]

    for _ in range(2):
        ended = subprocess.run(
            words, cwd=tmp_path, env=environment(tmp_path), capture_output=True, timeout=120
        )
        assert ended.returncode == 0, ended.stderr

    [copy] = unpacked(tmp_path)
    assert len(reader.read(tmp_path / "job.h5").rows) == 4
    program = [
        copy / "bin" / "python3",
        "-I",
        "-S",
        "-c",
        "import sys; print(*sys.path, sep='\\n')",
    ]
    said = subprocess.run(program, env={}, capture_output=True, text=True, timeout=60)
    assert said.stdout.splitlines() != []
    assert all(Path(path).is_relative_to(copy) for path in said.stdout.splitlines())


def test_what_a_rank_has_left_that_was_killed_is_unpacked_again(pack, tmp_path):
    half = tmp_path / f"mcts_cluster-{os.getuid()}" / "new" / "bin"
    half.mkdir(parents=True)
    (half / "python3").write_text("half of it")

    ended = subprocess.run(
        [pack, "--version"], env=environment(tmp_path), capture_output=True, text=True, timeout=60
    )

    assert ended.returncode == 0, ended.stderr
    assert ended.stdout.startswith("mcts_cluster ")
    assert not half.exists()


def test_ranks_that_start_together_unpack_it_once(pack, mpiexec, tmp_path, monkeypatch):
    (tmp_path / "job.toml").write_text(JOB)
    monkeypatch.setenv("MCTS_CLUSTER_UNPACKED", str(tmp_path))
    code = "import os, sys; os.execv(sys.argv[1], sys.argv[1:])"
    words = ["run", str(tmp_path / "job.toml"), "-o", str(tmp_path / "job.h5")]

    ended = mpiexec(3, "-c", code, str(pack), *words, seconds=120)

    assert ended.returncode == 0, ended.stderr
    assert len(unpacked(tmp_path)) == 1
    assert reader.read(tmp_path / "job.h5").runs[0].ranks == 3


def test_a_folder_that_another_user_may_have_made_is_refused(pack, tmp_path):
    folder = tmp_path / f"mcts_cluster-{os.getuid()}"
    folder.symlink_to(tmp_path)

    ended = subprocess.run(
        [pack, "--version"], env=environment(tmp_path), capture_output=True, text=True, timeout=60
    )

    says = f"{folder} is no folder of yours: set MCTS_CLUSTER_UNPACKED to another one\n"
    assert (ended.returncode, ended.stderr) == (2, f"mcts-cluster: {says}")


def test_a_pack_that_cannot_be_written_leaves_nothing(tmp_path, capsys):
    (tmp_path / "file").touch()

    assert main(["pack", "-o", str(tmp_path / "file" / "x")]) == 2

    assert f"{tmp_path}/file: File exists" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_a_pack_has_what_is_installed_and_no_sources():
    names = dict(packing.contents())

    assert f"{packing.packages()}/mcts_cluster/__main__.py" in names
    assert any(name.startswith(f"{packing.packages()}/numpy/") for name in names)
    assert not [name for name in names if name.endswith(".pth") or ".." in name]
    assert not [name for name in names if "/cext/" in name and name.endswith((".pyx", ".c"))]
    assert names["bin/python3"].resolve() == Path(sys.executable).resolve()
