"""Programs that speak GTP as players: good ones, bad ones, and how they are made to end."""

import json
import shlex
import sys

import psutil
import pytest

from mcts_cluster import games, match
from mcts_cluster.engine import Program
from mcts_cluster.jobfile import Job, Match
from mcts_cluster.player import Forgetful

# What a fake program does with a line, before it does what any program would.
FAKE = """
import json, os, signal, subprocess, sys, time
answers, log = json.loads(sys.argv[1]), open(sys.argv[2], "a", buffering=1)

def say(text):
    print(text + "\\n", flush=True)

{start}
for line in sys.stdin:
    log.write(line)
    words = line.split()
{special}
    answer = answers.get(line.strip(), answers.get(words[0], ""))
    if isinstance(answer, list):
        answer = answer.pop(0) if answer else "pass"
    say(answer if answer[:1] in ("=", "?") else "= " + answer)
    if words == ["quit"]:
        break
"""


@pytest.fixture
def fake(tmp_path):
    """Return a function that makes a program with some answers, by command or its first word."""

    def make(start="", special="", seconds=20, name="fake", **answers):
        path = tmp_path / f"{name}.py"
        body = "\n".join(f"    {line}" for line in special.splitlines())
        path.write_text(FAKE.format(start=start, special=body))
        said = {"genmove": [], "known_command": "false"} | answers
        words = [sys.executable, "-S", str(path), json.dumps(said), str(tmp_path / f"{name}.log")]
        return Program(shlex.join(words), seconds)

    return make


@pytest.fixture
def heard(tmp_path):
    """Return a function that tells what a fake program was sent."""
    return lambda name="fake": (tmp_path / f"{name}.log").read_text().splitlines()


class Script(Forgetful):
    """A player who plays these moves, then passes."""

    def __init__(self, *moves):
        self.moves = list(moves)

    def choose(self, game, game_seed):
        turn = game.ply // 2
        return game.number(self.moves[turn] if turn < len(self.moves) else "pass")


def play(a, b, number=0, game="go", **settings):
    pair = Match(("a", "b"), 2)
    default = {"size": 5} if game == "go" else {"size": 4}
    job = Job("", 1, game, default | settings, {"a": a, "b": b}, (pair,))
    return match.play(job, pair, number)


# What a program is told


def test_a_program_is_told_the_game_and_every_move_of_the_other_one(fake, heard):
    play(fake(genmove=["C3", "d4"]), Script("B2"), komi=0.5)

    assert heard() == [
        "boardsize 5",
        "clear_board",
        "komi 0.5",
        "genmove b",
        "play w B2",
        "genmove b",
        "play w pass",
        "genmove b",
        "known_command final_score",
        "quit",
    ]


def test_a_program_with_the_second_move_plays_white(fake, heard):
    row = play(fake(genmove=["C3"]), Script("B2"), number=1, komi=-3)

    assert heard()[2:7] == ["komi -3", "play b B2", "genmove w", "play b pass", "genmove w"]
    assert (row.plies, row.how) == (4, "area")


def test_handicap_stones_are_played(fake, heard):
    play(Script(), fake(), size=9, handicap=2)

    assert heard()[2:7] == ["komi 7.5", "play b C3", "play b G7", "genmove w", "play b pass"]


def seated(player, game, seed=1):
    return match.closing(player.seat(game, seed))


def test_a_position_is_set_up_with_the_stones_of_both_colours(fake, heard):
    game = games.from_text(". X .\n. . O\n. . O", to_play="white")
    game.play("A1")

    with seated(fake(), game) as seat:
        seat.choose()

    assert heard()[3:-1] == ["play w C1", "play w C2", "play b B3", "play w A1", "genmove b"]


def test_moves_taken_back_are_replayed_from_the_start(fake, heard):
    game = games.new("go", size=5)

    with seated(fake(genmove=["C3", "D4"]), game) as seat:
        game.play_number(seat.choose())
        game.play("B2")
        game.undo()
        game.play("B4")
        game.play_number(seat.choose())
        for _ in range(3):
            game.undo()
        game.play("A1")
        seat.choose()

    new = ["boardsize 5", "clear_board", "komi 7.5"]
    assert heard()[:-1] == [
        *[*new, "genmove b", "play w B4", "genmove b"],
        *[*new, "play b A1", "genmove w"],
    ]


def test_a_move_that_was_never_played_is_taken_back_too(fake, heard):
    game = games.new("go", size=5)

    with seated(fake(genmove=["C3", "D4"]), game) as seat:
        moves = [game.core.name(seat.choose()) for _ in range(2)]

    assert moves == ["C3", "D4"]
    assert heard().count("clear_board") == 2


def test_every_game_has_a_seed_that_a_program_can_take(fake):
    program = fake()
    with_seed = Program(f"{program.command} seed={{seed}} {{other}}")
    lines = []

    for game_seed in (1, 2, 2**64 - 1):
        with seated(with_seed, games.new("go"), game_seed) as seat:
            lines.append(psutil.Process(seat.process.process.pid).cmdline()[-2:])

    assert lines == [["seed=1", "{other}"], ["seed=2", "{other}"], ["seed=2147483647", "{other}"]]


# Havannah


def test_havannah_is_played_by_the_names_that_are_ours(fake, heard):
    white = fake(genmove=["d4", "D5"], **{"known_command hguicoords": "true"})

    game = games.new("havannah", size=4)

    with seated(white, game) as seat:
        game.play_number(seat.choose())
        game.play("g7")
        game.play_number(seat.choose())

    assert game.moves == ["d4", "g7", "d5"]
    assert heard()[:-1] == [
        *["boardsize 4", "clear_board", "known_command hguicoords", "hguicoords"],
        *["genmove w", "play b g7", "genmove w"],
    ]


def test_the_swap_of_havannah_goes_by_its_name(fake, heard):
    game = games.new("havannah", size=4, swap=True)

    with (
        seated(fake(name="first", genmove=["d4", "e5"]), game) as first,
        seated(fake(name="second", genmove=["swap"]), game) as second,
    ):
        for seat in (first, second, first):
            game.play_number(seat.choose())

    assert game.moves == ["d4", "d4", "e5"]
    assert "play b swap" in heard("first")
    assert "play w d4" in heard("second")
