"""Which of two players is the stronger, and by how much: Elo, likelihood, what games can show.

All of it is made of wins, draws and losses, a draw being half a win. A difference of a rate from
one half is visible if a test at 95 % finds it four times in five.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from math import exp, inf, lgamma, log, log10, sqrt

from mcts_cluster.success_rates import Z95, wilson

# Elo points of a factor ten in the odds of a win.
ELO = 400.0
# Standard normal deviation below which four fifths are: the power of a test.
Z80 = 0.841621


@dataclass(frozen=True)
class Score:
    """Games of a player, without void ones."""

    wins: int = 0
    draws: int = 0
    losses: int = 0

    @property
    def games(self) -> int:
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> float:
        return self.wins + self.draws / 2

    @property
    def spread(self) -> float:
        """The standard deviation of a game's points, as a share of that without draws.

        As everywhere, with one more win and one more loss.
        """
        wins, losses, games = self.wins + 1, self.losses + 1, self.games + 2
        mean = (wins + self.draws / 2) / games
        squares = wins * (1 - mean) ** 2 + self.draws * (0.5 - mean) ** 2 + losses * mean**2
        return sqrt(squares / games / (mean * (1 - mean)))

    @property
    def likelihood(self) -> float:
        """The likelihood that the player is the stronger one, from 0 to 1.

        Draws tell nothing of it. Of the other games each share of wins is as likely beforehand.
        """
        games = self.wins + self.losses + 1
        return at_most(self.wins, games)

    @property
    def elo(self) -> tuple[float, float]:
        """The difference in Elo and its standard error; after a clean sweep both are infinite.

        The error is that of the success rate, in Elo at a rate with one more win and one more loss.
        """
        if not 0 < self.points < self.games:
            return (inf if self.points else -inf), inf
        smoothed = (self.points + 1) / (self.games + 2)
        slope = ELO / log(10) / sqrt(smoothed * (1 - smoothed))
        return elo(self.points / self.games), slope / sqrt(self.games)

    @property
    def elo_interval(self) -> tuple[float, float]:
        """The ends of Wilson's interval of 95 %, in Elo."""
        low, high = wilson(self.points, self.games)
        return elo(low / 100), elo(high / 100)


NO_GAMES = Score()


def score(points: Iterable[float]) -> Score:
    """Return the score of games by their points: 1, 0 or 0.5."""
    points = list(points)
    return Score(points.count(1), points.count(0.5), points.count(0))


def elo(rate: float) -> float:
    """Return the difference in Elo of a success rate, which is from 0 to 1."""
    if rate <= 0 or rate >= 1:
        return inf if rate >= 1 else -inf
    return ELO * log10(rate / (1 - rate))


def at_most(heads: int, coins: int) -> float:
    """Return how likely so many heads, or fewer, are among some fair coins."""
    if 2 * heads >= coins:
        # Of the shorter tail; the other has what is left.
        return 1 - at_most(coins - heads - 1, coins) if heads < coins else 1.0
    if heads < 0:
        return 0.0
    ways = lgamma(coins + 1) - lgamma(heads + 1) - lgamma(coins - heads + 1)
    first = term = exp(ways - coins * log(2))
    found = 0.0
    for count in range(heads, -1, -1):
        found += term
        if term <= first * 1e-17:
            break
        term *= count / (coins - count + 1)
    return found


def visible(games: int) -> float:
    """Return the smallest visible difference from a rate of 50 %, in points; 50 if there is none.

    It is the d for which Z95 errors of a rate of 50 % and Z80 of one of 50 % + d add up to d.
    """
    a, b = Z95 / 2, Z80
    root = games / 4 + b * b / 4 - a * a
    if games < 1 or root < 0:
        return 50.0
    return min(50.0, 100 * (a * sqrt(games) + b * sqrt(root)) / (games + b * b))


def visible_between(rate: float, games: int, others: int) -> float:
    """Return the same between two rates near one of so many percent, each of its own games."""
    share = min(max(rate / 100, 0.05), 0.95)
    return 100 * (Z95 + Z80) * sqrt(share * (1 - share) * (1 / games + 1 / others))
