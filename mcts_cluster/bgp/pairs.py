"""Results of a candidate's games: colour-swapped pairs, counted as integers.

Games 2k and 2k + 1 share an opening seed and swap the colours, so only whole pairs are independent
of each other. A tally counts pairs by both of their scores; every stopping rule
uses these nine counts only, and they do not depend on the order of arrival.
"""

from collections.abc import Sequence
from math import sqrt
from typing import Self

# The scores of a pair's mean, as the five counts of `means` have them.
MEANS = (0.0, 0.25, 0.5, 0.75, 1.0)


class Pairs:
    """Counts of pairs.

    Public attribute (treat as read-only): counts, where pairs with scores a and b are counted at
    6 a + 2 b.
    """

    def __init__(self, counts: Sequence[int] = (0,) * 9) -> None:
        self.counts = list(counts)

    def add(self, first: float, second: float) -> None:
        self.counts[int(6 * first + 2 * second)] += 1

    def widened(self) -> Self:
        """Return these with one more pair lost and one more won, so that they do vary."""
        first, *others, last = self.counts
        return type(self)([first + 1, *others, last + 1])

    @property
    def games(self) -> int:
        return 2 * sum(self.counts)

    def results(self) -> tuple[int, int, int]:
        """Return how many games were lost, drawn and won."""
        c = self.counts
        lost = 2 * c[0] + c[1] + c[2] + c[3] + c[6]
        drawn = c[1] + c[3] + 2 * c[4] + c[5] + c[7]
        won = c[2] + c[5] + c[6] + c[7] + 2 * c[8]
        return lost, drawn, won

    def means(self) -> tuple[int, int, int, int, int]:
        """Return how many pairs scored 0, 1/4, 1/2, 3/4 and 1 a game, the pentanomial counts."""
        c = self.counts
        return c[0], c[1] + c[3], c[2] + c[4] + c[6], c[5] + c[7], c[8]

    @property
    def mean(self) -> float:
        """The mean score of a game."""
        _, drawn, won = self.results()
        return (drawn + 2 * won) / (2 * self.games)

    @property
    def variance(self) -> float:
        """The variance of a game's score, over the games that there are."""
        _, drawn, won = self.results()
        games = self.games
        # From integers, so that nothing is lost by subtraction.
        return (games * (drawn + 4 * won) - (drawn + 2 * won) ** 2) / (4 * games**2)

    @property
    def pair_variance(self) -> float:
        """The variance of a pair's mean, over the pairs that there are."""
        counts = self.means()
        pairs = sum(counts)
        total = sum(k * n for k, n in enumerate(counts))
        squares = sum(k * k * n for k, n in enumerate(counts))
        return (pairs * squares - total**2) / (16 * pairs**2)

    @property
    def correlation(self) -> float | None:
        """The correlation of a pair's two scores, None while either never varies.

        Each game has its own mean: the first has other colours than the second.
        """
        pairs = sum(self.counts)
        first = [sum(self.counts[3 * k : 3 * k + 3]) for k in range(3)]
        second = [sum(self.counts[k::3]) for k in range(3)]
        both = sum(n * (k // 3) * (k % 3) for k, n in enumerate(self.counts))
        product = spread(first) * spread(second)
        if not product:
            return None
        a, b = first[1] + 2 * first[2], second[1] + 2 * second[2]
        return (pairs * both - a * b) / sqrt(product)


def spread(counts: Sequence[int]) -> int:
    """Return n² times the variance of 0, 1, 2 that occur so often."""
    total = counts[1] + 2 * counts[2]
    return sum(counts) * (counts[1] + 4 * counts[2]) - total * total
