"""Random games judged by other programs, and exact values of small positions."""

import gzip
import json
from itertools import islice
from pathlib import Path

import pytest
from conftest import rest_in_proof

from cext.havannah import Havannah
from cext.solver import Solver

HERE = Path(__file__).parent
FOLDERS = [HERE / "oracles", HERE.parents[2] / "shared" / "oracles"]
GAMES = [path for folder in FOLDERS for path in sorted(folder.glob("havannah_[aus]*.gz"))]
EXACT = [path for folder in FOLDERS for path in sorted(folder.glob("havannah_exact*.gz"))]
OURS = [path for path in EXACT if path.parent == FOLDERS[0]]


def lines(path):
    with gzip.open(path, "rt") as file:
        yield from map(json.loads, file)


def name(path):
    return f"{path.parent.parent.name}-{path.stem}"


@pytest.mark.parametrize("path", GAMES, ids=name)
def test_games_end_when_and_as_other_programs_say(path):
    for number, oracle in enumerate(lines(path)):
        game = Havannah(oracle["size"], swap="swap" in path.name)

        for move in oracle["moves"]:
            assert not game.is_over
            game.play(game.number(move))

        assert game.is_over
        assert game.ply == oracle["ply"]
        assert game.how() == sorted(oracle["how"], key=["ring", "bridge", "fork"].index)
        winner = game.winner()
        assert (game.players[winner - 1] if winner else "draw") == oracle["winner"]
        if number % 10 == 0:
            game.check()


# Of the large collection each third position is for make test.
SAMPLES = [(path, step) for path in EXACT for step in ((1,) if path in OURS else (1, 3))]
USUAL = [(path, step) for path, step in SAMPLES if step == 3 or path in OURS]


@pytest.mark.parametrize(
    "sample", rest_in_proof(SAMPLES, USUAL), ids=lambda sample: f"{name(sample[0])}-{sample[1]}"
)
def test_the_solver_agrees_with_exact_values(sample):
    path, step = sample
    for oracle in islice(lines(path), 0, None, step):
        game = Havannah(oracle["size"])
        for move in oracle["moves"]:
            game.play(game.number(move))

        solver = Solver()

        assert solver.value(game) == oracle["value_toplay"]
        assert {game.name(move) for move in solver.best_moves(game)} == set(oracle["optimal_moves"])
