"""One game between two players, and what is kept of it."""

from contextlib import ExitStack, closing
from dataclasses import dataclass

from mcts_cluster import games
from mcts_cluster.jobfile import Job, Match
from mcts_cluster.seeds import seed

# Times the points of the board. Superko lets no game go on for ever, but a simple ko does.
LONGEST = 10


@dataclass(frozen=True)
class Row:
    """A finished game. `points` is what the match's first player got: 1, 0, or 0.5 for a draw."""

    match: str
    number: int
    points: float
    plies: int


def play(job: Job, match: Match, number: int) -> Row:
    """Play game `number` of a match; the first player has the first move in even games.

    A game that will not end is scored as it stands.
    """
    game = games.new(job.game, **job.settings)
    core = game.core
    game_seed = seed(job.seed, match.name, number)
    players = [job.players[name] for name in match.players]
    if number % 2:
        players.reverse()
    with ExitStack() as stack:
        seats = [stack.enter_context(closing(p.seat(game, game_seed))) for p in players]
        while not core.is_over and core.ply < LONGEST * core.points:
            game.play_number(seats[core.to_play - 1].choose())
    winner = core.winner()
    points = 0.5 if winner == 0 else float((winner == 1) == (number % 2 == 0))
    return Row(match.name, number, points, core.ply)
