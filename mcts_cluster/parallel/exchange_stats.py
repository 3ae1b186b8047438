"""What exchanges cost a team: for a move, and in a game, as the game's record has both."""

from dataclasses import dataclass, field
from typing import NamedTuple


@dataclass(frozen=True)
class Exchanges:
    """What the ranks have counted for a move, or for all; times are measured, and so not compared.

    The names are those of the columns of the file.
    """

    exchanges: int = 0
    exchange_bytes: int = 0  # that a rank put into sums
    # Means of the ranks; that of exchanges includes that of waiting for the slowest.
    exchange_seconds: float = field(default=0.0, compare=False)
    waiting_seconds: float = field(default=0.0, compare=False)
    late_simulations: int = 0  # made while sums were on their way, which will not know of them
    least_simulations: int = 0  # of all machines, of that which made the fewest
    most_simulations: int = 0


NONE = Exchanges()


class Searched(NamedTuple):
    """What a team did for one move."""

    player: int  # of the match: 0 the first, 1 the second
    ply: int  # moves before it
    exchanges: Exchanges
