"""Inputs that were changed at random: each is taken or refused in words, soon, and leaves nothing.

corpus.json has a few of each kind, as fuzzing.py made them from a seed; make soak tries a million.
"""

import json
from pathlib import Path

import fuzzing
import pytest
from fuzzing import deadline, kinds, search, taken

from mcts_cluster import games
from mcts_cluster.gtp.protocol import MAX_LINE, Lines

CORPUS = json.loads(Path(__file__).with_name("corpus.json").read_text())
# What once broke a reader.
BROKEN = [
    ("model", f"shape {20 * '.'} {'9' * 5001}\n"),
    ("measurements", "[" * 3000),
    ("settings", '{"seed": 1, "game": {"name": "go"}, "kind": "campaign", "player": {}}'),
    ("settings", '{"seed": 1, "game": {"name": "go"}, "kind": "matches", "match": [5]}'),
    ("settings", '{"player": {"f": {"kind": "TeamPlayer"}}}'),
    ("settings", '{"positions": {"positions": {"x": 5}}}'),
    ("job", "".join(f'[player.p{i}]\nlike = "p{i + 1}"\n' for i in range(2000))),
    ("job", "a." * 9000 + "b = 1"),
    ("positions", fuzzing.POSITIONS.replace("by hand", "by \0 hand")),
    ("words", "game.game=5\n"),
    ("set", f"match.{'9' * 5000}.games=3\n"),
]


@pytest.fixture(scope="module")
def readers():
    return {name: read for name, (_, read) in kinds().items()}


@pytest.mark.parametrize("kind", kinds())
def test_what_is_right_is_taken(kind):
    texts, read = kinds()[kind]

    assert all(taken(read, text) for text in texts)


@pytest.mark.parametrize("kind", kinds())
def test_the_corpus_is_taken_or_refused(kind, readers):
    inputs = [one["text"] for one in CORPUS if one["kind"] == kind]
    assert len(inputs) == 16

    for text in inputs:
        taken(readers[kind], text)


@pytest.mark.parametrize(("kind", "text"), BROKEN)
def test_what_once_broke_a_reader_is_taken_or_refused(kind, text, readers):
    taken(readers[kind], text)


def test_an_error_that_is_no_refusal_is_found():
    def read(text):
        raise KeyError(text)

    with pytest.raises(KeyError):
        taken(read, "x")


def test_what_never_ends_is_found():
    def read(text):
        while True:
            pass

    with pytest.raises(fuzzing.TooLong):
        taken(read, "x", seconds=0.05)


def test_a_line_without_end_is_cut_off(tmp_path):
    path = tmp_path / "lines"
    path.write_bytes(b"x" * (5 * MAX_LINE) + b"\nname\n")

    with path.open("rb") as file, deadline(60):
        long, short = Lines(file.fileno())

    assert MAX_LINE <= len(long) <= 2 * MAX_LINE
    assert short == "name"


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(20))
def test_a_million_inputs_break_nothing(seed):
    found, _, growth, _ = search(50_000, seed)

    assert found == []
    assert growth < 50 * 10**6


@pytest.mark.soak
def test_records_of_the_largest_size_are_read():
    moves = "".join(f";{'BW'[i % 2]}[aa]" for i in range(10**6))

    with deadline(600), pytest.raises(games.IllegalMove):
        games.from_sgf(f"(;SZ[9]{moves})")
