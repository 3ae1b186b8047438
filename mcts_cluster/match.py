"""One game between two players, who won it, and what is kept of it.

A finished game is scored by the area as it stands, and our own players pass with that in mind.
Other programs pass while dead stones are on the board: of 40 games of UCT against GNU Go the area
gave 6 to UCT that were lost. Where a player is a Judge it is asked who has won; where both are, the
one that the match names first, and the row says whether the other one names another winner.
"""

from collections.abc import Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass

from cext.go import Go
from mcts_cluster import games
from mcts_cluster.games import Game
from mcts_cluster.jobfile import Job, Match
from mcts_cluster.player import Judge, Resigned, Seat
from mcts_cluster.seeds import seed

# Times the points of the board. Superko lets no game go on for ever, but a simple ko does.
LONGEST = 10

# Who has won, 1 or 2, or 0 for a draw, and what decided that.
Result = tuple[int, str]


@dataclass(frozen=True)
class Row:
    """A finished game. `points` is what the match's first player got: 1, 0, or 0.5 for a draw.

    `how` is what decided it: "area" in Go and "rules" elsewhere, "gnugo's final_score", "resigned",
    or "cut off".
    """

    match: str
    number: int
    points: float
    plies: int
    how: str


def play(job: Job, match: Match, number: int) -> Row:
    """Play game `number` of a match; the first player has the first move in even games."""
    game = games.new(job.game, **job.settings)
    game_seed = seed(job.seed, match.name, number)
    players = [job.players[name] for name in match.players]
    with ExitStack() as stack:
        seats = [stack.enter_context(closing(p.seat(game, game_seed))) for p in players]
        turns = seats[::-1] if number % 2 else seats
        winner, how = play_out(game, turns) or judge(match, seats) or score(game)
    points = 0.5 if winner == 0 else float((winner == 1) == (number % 2 == 0))
    return Row(match.name, number, points, game.core.ply, how)


def play_out(game: Game, turns: Sequence[Seat]) -> Result | None:
    """Play a game until it is over, and then return nothing; or until one gives it up."""
    core = game.core
    while not core.is_over:
        if core.ply >= LONGEST * core.points:
            return core.winner(), "cut off"
        try:
            game.play_number(turns[core.to_play - 1].choose())
        except Resigned:
            return 3 - core.to_play, "resigned"
    return None


def judge(match: Match, seats: Sequence[Seat]) -> Result | None:
    """Return what the players say of a finished game, if one of them is a judge of it."""
    said: list[Result] = []
    for name, seat in zip(match.players, seats, strict=True):
        if isinstance(seat, Judge) and (lead := seat.final_score()) is not None:
            said.append((1 if lead > 0 else 2 if lead < 0 else 0, f"{name}'s final_score"))
    if len(said) == 2 and said[0][0] != said[1][0]:
        return said[0][0], f"{said[0][1]}, not {said[1][1]}"
    return said[0] if said else None


def score(game: Game) -> Result:
    """Return who has won a finished game by the rules alone."""
    return game.core.winner(), "area" if isinstance(game.core, Go) else "rules"
