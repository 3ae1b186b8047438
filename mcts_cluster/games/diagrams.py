"""Positions of Go as text: a diagram in, a game out."""

import re
from typing import Any

from mcts_cluster.errors import UserError
from mcts_cluster.games.game import Game, new, set_up

DIAGRAM_COLORS = {".": 0, ",": 0, "+": 0, "X": 1, "x": 1, "#": 1, "O": 2, "o": 2}


def from_text(diagram: str, to_play: str | None = None, **settings: Any) -> Game:
    """Start a game of Go from a diagram: rows from the north, X black, O white, . , + empty.

    Row numbers, a line of column letters, brackets around the last move and the line "white to
    play" are understood, so that a printed game can be read back. The passes that ended a game
    are not in a diagram: such a position goes on.
    """
    rows = []
    for number, line in enumerate(diagram.splitlines(), 1):
        text = line.strip()
        if match := re.fullmatch(r"(black|white) to play|the game is over: .*", text):
            to_play = to_play or match[1]
            continue
        row = re.sub(r"^\d+\s|\s\d+$|[()\s]", "", text)
        # Two letters at least: X and O alone could be a row of a board that is one point wide.
        if not row or re.fullmatch(r"AB[A-HJ-Z]*", row):
            continue
        for character in row:
            if character not in DIAGRAM_COLORS:
                raise UserError(
                    f"diagram, line {number}: {character!r} is not one of . , + X x # O o"
                )
        rows.append((number, row))
    size = len(rows)
    for number, row in rows:
        if len(row) != size:
            raise UserError(f"diagram, line {number}: {len(row)} points in a board of {size} rows")
    names = new("go", size=size).core
    stones: list[list[str]] = [[], [], []]
    for y, (_, row) in enumerate(reversed(rows)):
        for x, character in enumerate(row):
            stones[DIAGRAM_COLORS[character]].append(names.name(y * size + x))
    return set_up(stones[1], stones[2], to_play or "black", size=size, **settings)
