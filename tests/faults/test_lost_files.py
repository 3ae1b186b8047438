"""A file that is taken away while a run writes it: it is written again, or a line says so."""

import os
import shutil
import subprocess
import sys
from dataclasses import replace

import pytest
from conftest import python_path, wait_until
from some_rows import EMPTY, rows, written

from mcts_cluster.errors import RunFailure
from mcts_cluster.storage import reader
from mcts_cluster.storage.writer import Writer


@pytest.fixture
def path(tmp_path):
    return tmp_path / "results" / "job.h5"


@pytest.fixture
def writer(path):
    path.parent.mkdir()
    writer = Writer(path, EMPTY)
    writer.append(rows(10))
    writer.flush()
    return writer


def removed(path):
    path.unlink()


def moved(path):
    path.rename(path.with_name("elsewhere.h5"))


def purged(path):
    shutil.rmtree(path.parent)


@pytest.mark.parametrize("lose", [removed, moved, purged])
def test_a_file_that_is_gone_is_written_again_with_all_of_its_rows(lose, writer, path, capsys):
    lose(path)
    writer.append(rows(10, 20))
    writer.flush()

    assert capsys.readouterr().err.splitlines()[-1] == (
        f"mcts-cluster: {path}: was gone; it is written again, with all of its 10 games"
    )
    assert reader.read(path).rows == rows(20)
    assert not reader.read(path).is_closed

    writer.append(rows(20, 30))
    writer.close(0)
    results = reader.read(path)
    assert results.rows == rows(30)
    assert (results.is_closed, results.runs[-1].status) == (True, 0)


def test_a_file_that_goes_after_the_last_game_is_written_again(writer, path):
    path.unlink()
    writer.close(0)

    results = reader.read(path)
    assert results.rows == rows(10)
    assert (results.is_closed, results.runs[-1].status) == (True, 0)


def test_a_file_is_lost_again_and_again(writer, path):
    for i in range(10, 40, 10):
        path.unlink()
        writer.append(rows(i, i + 10))
        writer.flush()

    writer.close(0)
    assert reader.read(path).rows == rows(40)


def test_the_file_of_another_run_is_not_written_over(writer, path):
    other = replace(EMPTY, title="another")
    written(path, rows(3), results=other)
    writer.append(rows(10, 20))

    with pytest.raises(RunFailure) as failure:
        writer.flush()
    writer.close(0)

    assert reader.read(path).title == "another"
    [rescued] = [one for one in path.parent.iterdir() if one != path]
    assert str(failure.value) == (
        f"{path}: another file has taken its place; the 10 games of this run are in {rescued}"
    )
    assert reader.read(rescued).rows == rows(10)


JOB = """
[game]
size = 5
[player.a]
simulations = 20
[player.b]
simulations = 30
[[match]]
players = ["a", "b"]
games = 200
"""


def test_a_run_whose_file_is_removed_ends_with_all_games(tmp_path):
    (tmp_path / "job.toml").write_text(JOB)
    path = tmp_path / "job.h5"
    run = subprocess.Popen(
        [sys.executable, "-m", "mcts_cluster", "run", "job.toml", "-o", "job.h5", "--processes=1"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": python_path()},
    )
    try:
        wait_until(lambda: path.exists() and reader.read(path).rows)
        path.unlink()
        _, told = run.communicate(timeout=120)
    finally:
        run.kill()

    assert run.returncode == 0
    assert "job.h5: was gone; it is written again, with all of its " in told
    assert {row.number for row in reader.read(path).rows} == set(range(200))
