"""The rules against GNU Go, another program altogether, over GTP."""

import os
import random
import shutil
import subprocess

import pytest

from cext.go import Go

# Debian keeps it where root's PATH does not look.
GNUGO = shutil.which("gnugo", path=f"{os.environ['PATH']}:/usr/games")
needs_gnugo = pytest.mark.skipif(GNUGO is None, reason="gnugo is not installed")


class Gtp:
    """A program that speaks GTP on its standard input and output."""

    def __init__(self, *command):
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.stdout.close()
        self.process.terminate()
        self.process.wait(10)

    def __call__(self, command):
        self.process.stdin.write(f"{command}\n")
        self.process.stdin.flush()
        lines = []
        while (line := self.process.stdout.readline().rstrip("\n")) or not lines:
            assert line or self.process.poll() is None, "the program has ended"
            lines.append(line)
        assert lines[0].startswith("="), lines
        return " ".join(lines)[1:].split()


@needs_gnugo
@pytest.mark.parametrize("size", [5, 7, 9, 13, 19])
@pytest.mark.parametrize("superko", ["simple", "positional"])
def test_the_same_moves_are_legal(size, superko):
    options = ["--forbid-suicide"] + ["--positional-superko"] * (superko == "positional")
    moves = random.Random(size)
    with Gtp(GNUGO, "--mode", "gtp", *options) as gnugo:
        for _ in range(2):
            game = Go(size, superko=superko)
            gnugo(f"boardsize {size}")
            gnugo("clear_board")
            # Own eyes are filled too, so that captures, kos and repetitions abound.
            while game.ply < 1.5 * game.points and not game.is_over:
                color = game.players[game.to_play - 1]
                legal = game.legal_moves()[:-1]
                if game.ply % 5 == 0:
                    names = {game.name(move) for move in legal}
                    assert names == set(gnugo(f"all_legal {color}"))
                move = moves.choice(legal or [game.points])
                gnugo(f"play {color} {game.name(move)}")
                game.play(move)
