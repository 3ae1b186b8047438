"""What every player offers, and what its session at a game may offer.

A Player is a recipe, as a job file states it: what it may spend on a move, and how it makes a
session. A Session plays one game and may keep anything from one move to the next, such as
a tree. A session need not offer everything: the defaults here are no estimates and
None for an expected result.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

from mcts_cluster.errors import UserError
from mcts_cluster.games import Game

# The name of the budget that is none of simulations.
CLOCK = "seconds"

# Called again and again while a player thinks, unless it is None.
Watch = Callable[[], None] | None


class Resigned(Exception):
    """A session resigns instead of choosing a move."""


class EngineError(UserError):
    """An error of an external program: the message quotes the command and the answer."""


class NoProgram(EngineError):
    """A program that cannot be started, in no other game either."""


@dataclass(frozen=True)
class MoveEstimate:
    """The estimate of a move, and the moves expected after it."""

    move: int
    visits: int
    rate: float  # the result expected for the player to move, 0 to 1
    prior: float
    moves: list[int]  # the principal variation, beginning with the move


class Session:
    """A player at a game, which it follows and never changes."""

    game: Game
    # It can choose within given seconds, think without deciding, and estimate moves.
    can_think = False
    # Of all its moves so far: simulations, searches whose tree was full before their end, and
    # playouts that were replayed because the solver of races knew better.
    simulations = 0
    full_searches = 0

    @property
    def replays(self) -> int:
        return 0

    def choose(self, seconds: float | None = None, watch: Watch = None) -> int:
        """Return the number of a move for the player whose turn it is; may raise Resigned.

        A session that can think takes no longer than `seconds`, and calls `watch` meanwhile.
        """
        raise NotImplementedError

    def close(self) -> None:
        """Leave the game, and free all resources."""

    def think(self, seconds: float) -> None:
        """Search the position for about so long, without deciding."""
        raise NotImplementedError

    def estimates(self) -> Sequence[MoveEstimate]:
        """Return the estimate of every move that was searched, the best move first."""
        return ()

    def expected_result(self, move: int) -> float | None:
        """Return the result expected of a move that it chose, 0 to 1; None without an estimate."""
        return None

    def final_score(self) -> float | None:
        """Return by how much the first player has won a finished game; None without an answer."""
        return None

    def owners(self, count: int, seed: int) -> Sequence[float] | None:
        """Return for each point the mean owner after so many playouts; None if it has none.

        1 is the first player's, -1 the second's.
        """
        return None

    @property
    def exchanges(self) -> Any:
        """Exchange statistics of a team (parallel/exchange_stats.py), of all moves; else None."""
        return None

    @property
    def exchanges_by_move(self) -> Sequence[tuple[int, Any]]:
        """The same of each search of a team, after the number of moves before it."""
        return ()


def resigns(session: Session, move: int, below: float | None) -> bool:
    """Return whether to resign instead of the move just chosen: the rule of matches and of GTP.

    A player resigns if the result expected of its move is less than `below`; with None and 0 never.
    A pass is played: it may win, and ends a lost game as soon.
    """
    if not below or move == session.game.core.points:
        return False
    expected = session.expected_result(move)
    return expected is not None and expected < below


class Player:
    """A player: its budget, the machines and threads that it runs on, and its sessions."""

    @property
    def simulations(self) -> int:
        """Simulations a move, of each machine; 0 is no such limit."""
        return 0

    @property
    def seconds(self) -> float:
        """Seconds a move, of each machine; 0 is no such limit."""
        return 0.0

    @property
    def threads(self) -> int:
        """Threads of each machine."""
        return 1

    @property
    def machines(self) -> int:
        """Machines of a team; 0 of a player that is no team."""
        return 0

    @property
    def goes_by_clock(self) -> bool:
        """Whether its moves take time that is no work of this process."""
        return self.seconds > 0

    @property
    def why_not_repeatable(self) -> str:
        """Why games with the same seed may differ, as "has a clock"; "" where they are the same."""
        if self.seconds:
            return "has a clock"
        return "has several threads" if self.threads > 1 else ""

    @property
    def starts(self) -> str:
        """The command of the program that it starts; "" where it plays by itself."""
        return ""

    @property
    def lacks(self) -> str:
        """What it needs and is not on this machine, in words; "" where it can play."""
        return ""

    def over(self, ranks: Any) -> "Player":
        """Return a team laid over these ranks (parallel/ranks.py), any other player as it is."""
        return self

    def budgets(self) -> Mapping[str, float]:
        """Return the limits of a move by the names of their settings; 0 is none."""
        return {}

    def quicker(self, simulations: int) -> tuple[Self, float]:
        """Return this player with at most so many simulations, and how much longer it takes itself.

        They are simulations, or playouts, of a move, of all machines together.
        """
        counted = {name: of for name, of in self.budgets().items() if name != CLOCK}
        cut = {name: simulations for name, of in counted.items() if of > simulations}
        scale = min((counted[name] / simulations for name in cut), default=1.0)
        player: Self = replace(self, **cut) if cut else self  # type: ignore[type-var]
        return player, scale

    def stand_in(self, simulations: int) -> "Player":
        """Return a single machine with at most so many simulations a move, and without a clock.

        It stands in for this player where it matters only roughly how a game goes. A player without
        a budget stands for itself.
        """
        own = {name: min(of or simulations, simulations) for name, of in self.budgets().items()}
        if CLOCK in own:
            own[CLOCK] = 0
        return replace(self, **own) if own else self  # type: ignore[type-var]

    def as_kept(self, settings: Mapping[str, Any]) -> "Player":
        """Return this player with the defaults of older results, which have kept its settings."""
        return self

    def fits(self, game: Game) -> int:
        """Return for how many simulations of a machine a tree has room; 0 without a tree."""
        return 0

    def session(self, game: Game, game_seed: int) -> Session:
        """Begin to play a game; the same seed and the same moves make the same choices."""
        raise NotImplementedError
