"""Files that are cut off or of which bits have changed: a line, at once, and never wrong rows."""

import os
import sys
from dataclasses import replace
from pathlib import Path

import h5py
import pytest
from conftest import python_path, run_alone
from damaged import cut, ending_late_ones, flipped, told, torn
from some_rows import EMPTY, rows, written

from mcts_cluster.__main__ import main
from mcts_cluster.storage import reader
from mcts_cluster.storage.results import Results
from mcts_cluster.storage.writer import Writer

ROOT = Path(__file__).parents[2]
SHIPPED = ROOT / "results" / "quickstart-example.h5"

KILLED = """
import os, sys
from pathlib import Path
import some_rows
from mcts_cluster.storage.writer import Writer
writer = Writer(Path(sys.argv[1]), some_rows.EMPTY)
for i in range(0, 24, 8):
    writer.append(some_rows.rows(i, i + 8))
    writer.flush()
os._exit(0)
"""
VERBS = [
    "show FILE",
    "table FILE",
    "compare FILE other.h5",
    "plot FILE -o out.svg",
    "report FILE -o out.html",
    "export FILE --format csv",
    "replay FILE 0",
    "validate FILE -o out.toml",
    "merge FILE other.h5 -o out.h5",
    "run job.toml -o FILE",
    "repair FILE",
    "repair FILE --check",
]
JOB = """
[game]
size = 5
[player.a]
simulations = 4
[player.b]
simulations = 6
[[match]]
players = ["a", "b"]
games = 2
"""


@pytest.fixture(autouse=True)
def without_pauses(monkeypatch):
    monkeypatch.setattr(reader, "SECONDS_BETWEEN_ATTEMPTS", 0)
    monkeypatch.setattr(reader, "READ_ATTEMPTS", 2)


@pytest.fixture(scope="module")
def left_open(tmp_path_factory):
    """Return a file as a kill leaves it."""
    path = tmp_path_factory.mktemp("left") / "job.h5"
    os.environ["PYTHONPATH"] = python_path()
    ended = run_alone([sys.executable, "-c", KILLED, str(path)], seconds=60)
    assert (ended.stderr, reader.read(path).is_closed) == ("", False)
    return path


@pytest.fixture(scope="module")
def closed(tmp_path_factory):
    return written(tmp_path_factory.mktemp("closed") / "job.h5", rows(24))


@pytest.fixture(params=["left_open", "closed"])
def whole(request):
    return request.getfixturevalue(request.param)


def copies(number):
    """Return how many copies are tried: many more by make soak."""
    return [number, pytest.param(20 * number, marks=pytest.mark.soak)]


def refusals(whole, damaged, path):
    """Return how many copies are refused; the others must be read as if nothing had happened."""
    # As text: what is not a number is not equal to itself.
    good, refused = repr(reader.read(whole)), 0
    for content in damaged:
        path.write_bytes(content)
        found = told(path)
        if isinstance(found, Results):
            assert repr(found) == good
        else:
            assert found.startswith(f"{path}: ") and "\n" not in found
            refused += 1
    return refused


@pytest.mark.parametrize("lengths", copies(19))
def test_a_file_that_is_cut_off_is_refused_at_every_length(whole, lengths, tmp_path):
    content = whole.read_bytes()

    assert refusals(whole, cut(content, lengths), tmp_path / "cut.h5") == lengths


@pytest.mark.parametrize("lengths", copies(19))
def test_a_shipped_file_that_is_cut_off_is_refused(lengths, tmp_path):
    content = SHIPPED.read_bytes()

    assert refusals(SHIPPED, cut(content, lengths), tmp_path / "cut.h5") == lengths


@pytest.mark.parametrize("bits", copies(25))
def test_no_flipped_bit_changes_a_row_without_a_word(whole, bits, tmp_path):
    content = whole.read_bytes()

    refused = refusals(whole, flipped(content, bits, seed=bits), tmp_path / "flipped.h5")

    assert refused > bits / 20


@pytest.mark.parametrize("pages", copies(15))
def test_no_lost_page_changes_a_row_without_a_word(whole, pages, tmp_path):
    content = whole.read_bytes()

    refused = refusals(whole, torn(content, pages, seed=pages), tmp_path / "torn.h5")

    assert refused > pages / 20


@pytest.mark.parametrize("damage", ["cut", "marked"])
@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_refuses_a_damaged_file_in_a_line(
    verb, damage, left_open, tmp_path, monkeypatch, capsys
):
    monkeypatch.chdir(tmp_path)
    content = bytearray(left_open.read_bytes())
    Path("job.toml").write_text(JOB)
    Path("FILE").write_bytes(content[:100_000] if damage == "cut" else broken(content))

    with ending_late_ones():
        status = main(verb.split())

    said = capsys.readouterr()
    assert (status, (said.out + said.err).count("\n")) == (2, 1)
    assert "FILE: " in said.out + said.err


def broken(content):
    """Return a file that is marked as open, and whose root has become unreadable."""
    damaged = bytearray(content)
    start = content.index(b"OHDR")
    damaged[start + 20] ^= 1
    return damaged


# What checksums tell


def test_a_changed_point_is_told_by_name(closed, tmp_path, capsys):
    path = tmp_path / "job.h5"
    path.write_bytes(closed.read_bytes())
    with h5py.File(path, "r+") as file:
        file["games/points"][0] = 0.0
        file["matches/games"][0] += 1

    assert main(["show", str(path)]) == 2
    assert capsys.readouterr().err == (
        f"mcts-cluster: {path}: damaged: games/points has other values than were written\n"
    )

    assert main(["repair", str(path), "--check"]) == 2
    assert capsys.readouterr().out.splitlines() == [
        f"{path}: damaged: games/points has other values than were written",
        f"{path}: damaged: matches/games has other values than were written",
    ]


def test_a_whole_file_is_told_to_be_whole(closed, left_open, capsys):
    assert main(["repair", str(closed), "--check"]) == 0
    assert capsys.readouterr().out == f"{closed}: whole by its checksums: 24 games\n"

    assert main(["repair", str(left_open), "--check"]) == 0
    assert capsys.readouterr().out == (
        f"{left_open}: whole by its checksums: 24 games; left open, by a run or by a kill\n"
    )

    assert main(["repair", str(SHIPPED), "--check"]) == 0
    assert "whole as far as a file without checksums tells" in capsys.readouterr().out


def test_a_count_that_is_too_small_is_no_loss_without_a_word(tmp_path):
    path = written(tmp_path / "job.h5", rows(24))
    with h5py.File(path, "r+") as file:
        file["games/count"][...] = 16

    assert told(path) == f"{path}: damaged: games/count is 16, and 24 rows were written"


def test_what_a_file_cannot_have_is_refused_without_checksums(tmp_path):
    """As far as it can be known."""
    for name, place, value, text in [
        ("games/points", 3, 0.25, "games/points has others than 1, 0.5, 0 and NaN"),
        ("games/match", 3, 2, "match refers to a row that is not there"),
        ("games/how", 3, -1, "how refers to a row that is not there"),
        ("games/moves_end", 3, 0, "moves_end does not rise"),
        ("games/count", (), 10**6, "games/match has fewer cells than are counted"),
        ("games/began", 3, float("inf"), "games/began has what is no time"),
        ("runs/first_game", 0, 25, "runs/first_game does not rise from 0 to the count of games"),
        ("job/kind", (), "tea", "job/kind: no experiment is of that kind: 'tea'"),
    ]:
        path = written(tmp_path / "job.h5", rows(24))
        with h5py.File(path, "r+") as file:
            del file["checks"]
            file[name][place] = value

        assert told(path) == f"{path}: damaged: {text}"


@pytest.mark.parametrize("attempt", [1, 2])
def test_a_game_that_counts_twice_is_refused_whatever_its_attempt(attempt, tmp_path):
    again = replace(rows(24)[1], attempt=attempt)
    path = written(tmp_path / "job.h5", (*rows(24), again))

    assert told(path).endswith("damaged: game 1 of a against b is there twice")


def test_a_column_of_another_type_is_refused_without_checksums(tmp_path):
    path = written(tmp_path / "job.h5", rows(24))
    with h5py.File(path, "r+") as file:
        del file["checks"], file["games/seed"]
        file["games/seed"] = ["a"] * 24

    assert told(path) == (
        f"{path}: damaged: games/seed has the type or the shape of something else"
    )


def test_rows_of_flushes_are_kept_as_long_as_a_reader_may_take(tmp_path):
    """A reader that has seen what is counted finds it, though the writer goes on."""
    path = tmp_path / "job.h5"
    writer = Writer(path, EMPTY)
    for i in range(20):
        writer.append(rows(i, i + 1))
        writer.flush()
        if i % 8 == 0:
            assert reader.read(path).rows == rows(i + 1)
    writer.close(0)
    assert reader.read(path).rows == rows(20)
