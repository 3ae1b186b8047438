"""Random games judged by other programs: a sample kept here, the whole set where there is one."""

import gzip
import json
from pathlib import Path

import pytest

from cext.go import Go

HERE = Path(__file__).parent
SHARED = HERE.parents[2] / "shared"
FILES = sorted((HERE / "oracles").glob("go*.gz")) + sorted((SHARED / "oracles").glob("go*.gz"))


def games(path):
    with gzip.open(path, "rt") as lines:
        yield from map(json.loads, lines)


def board(game):
    return "".join(".XO"[game.color(point)] for point in range(game.points))


def legal_points(game):
    return {game.name(move) for move in game.legal_moves()} - {"pass"}


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.parent.name}-{path.stem}")
def test_agrees_with_other_programs(path):
    for oracle in games(path):
        rules = {name: Go(oracle["size"], 7.5, name) for name in Go.superko_rules}
        samples = {sample["ply"]: sample for sample in oracle["samples"]}

        for ply, name in enumerate([*oracle["moves"], None]):
            if ply in samples:
                agrees_with_sample(rules, samples[ply])
            if name:
                for game in rules.values():
                    game.play(game.number(name))

        for game in rules.values():
            assert board(game) == oracle["final_board"]
            assert game.area() == oracle["score_b_minus_w"]
            assert game.players[game.winner() - 1] == oracle["result"]
            assert game.is_over == (oracle["ended"] == "passes")


def agrees_with_sample(rules, sample):
    simple = rules["simple"]
    assert board(simple) == sample["board"]
    assert simple.players[simple.to_play - 1][0] == sample["toplay"]
    assert (simple.ko is not None and simple.name(simple.ko)) == (sample["ko"] or False)

    empty = {simple.name(point) for point in range(simple.points) if simple.color(point) == 0}
    not_suicide = empty - set(sample["suicide"])
    assert legal_points(simple) == not_suicide - {sample["ko"]}
    assert len(legal_points(simple)) == sample["nlegal"]
    assert legal_points(rules["positional"]) == not_suicide - set(sample["psk"])
    assert legal_points(rules["situational"]) == not_suicide - set(sample["ssk"])
    for name in sample["suicide"]:
        assert simple.why_illegal(simple.number(name)) == "suicide"
