"""How long to think about a move, by the times that GTP sends. No clock is read here.

Three kinds of time: so much for the game; then periods of byo-yomi, either with so many moves in
each (Canadian, the kind that GTP's time_settings speaks of) or with one move in each (Japanese).

A move may take an equal share of what is left for the moves that are still expected, less a
reserve, the lag: the part of a move that the referee's clock counts and the player cannot see.
"""

from dataclasses import dataclass

LAG = 0.1  # seconds a move
MIN_SECONDS = 0.001


@dataclass(frozen=True)
class Limits:
    """The time that a game starts with, in seconds."""

    main: float
    period: float = 0.0  # 0 without byo-yomi
    moves: int = 1  # in a period (Canadian)
    periods: int = 0  # how many there are (Japanese); 0 for Canadian, where there is no end of them

    @property
    def a_move(self) -> float:
        """Seconds of byo-yomi for each move."""
        return self.period / self.moves


@dataclass
class Left:
    """What a player has left; in byo-yomi, seconds of this period."""

    seconds: float
    count: int = 0  # of moves to play in this period, or of periods (Japanese); 0 in main time


class Clock:
    """The time of both players, 1 and 2."""

    def __init__(self, lag: float = LAG) -> None:
        self.lag = lag
        self.set(None)

    def set(self, limits: Limits | None) -> None:
        """Start a game with these limits, or with none."""
        self.limits = limits
        self.left: dict[int, Left] = {}
        if limits:
            self.left = {player: self.entered(limits, Left(limits.main)) for player in (1, 2)}

    def restart(self) -> None:
        """Start another game with the same limits."""
        self.set(self.limits)

    def set_left(self, player: int, seconds: float, count: int) -> None:
        """Take over a referee's time; no time, in a game without limits, is no limit."""
        if self.limits or seconds > 0:
            self.left[player] = Left(max(0.0, seconds), count)

    def spend(self, player: int, seconds: float) -> None:
        """Count a move and its lag, for referees that never send what is left."""
        left, limits = self.left.get(player), self.limits or Limits(0)
        if left is None:
            return
        left.seconds -= seconds + self.lag
        if left.count == 0:
            self.left[player] = self.entered(limits, left)
        elif limits.periods:
            while left.seconds < 0 and left.count > 1:
                left.seconds += limits.period
                left.count -= 1
            left.seconds = limits.period
        else:
            left.count -= 1
            if left.count == 0:
                self.left[player] = Left(limits.period, limits.moves)
        self.left[player].seconds = max(0.0, self.left[player].seconds)

    @staticmethod
    def entered(limits: Limits, left: Left) -> Left:
        """Begin byo-yomi where the main time is over, and there is one."""
        if left.seconds > 0 or not limits.period:
            return left
        if limits.periods:
            return Left(limits.period, limits.periods)
        # A move that has begun in main time counts in the period in which it ends.
        return Left(limits.period + left.seconds, max(1, limits.moves - (left.seconds < 0)))

    def budget(self, player: int, moves: int) -> float | None:
        """Return the seconds for a move, or None where there is no limit.

        `moves` is how many of its own the player still expects.
        """
        left, limits = self.left.get(player), self.limits or Limits(0)
        if left is None:
            return None
        if left.count == 0:
            # What byo-yomi gives for a move can be had now too: where the main time ends in
            # the middle of one, it goes on in a period.
            share = max(left.seconds / max(1, moves), limits.a_move)
        else:
            share = left.seconds / (1 if limits.periods else left.count)
        # With next to nothing left a tenth of a share: later moves need some of it.
        return max(MIN_SECONDS, share - self.lag, share / 10)
