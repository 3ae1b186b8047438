"""What exchanges cost a team in a game: the sums over its moves, as the game's record has them."""

from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable


@dataclass(frozen=True)
class Exchanges:
    """What the ranks have counted; times are measured, and so not compared.

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


@runtime_checkable
class Sharer(Protocol):
    """A seat of several machines, which counts their exchanges."""

    @property
    def exchanges(self) -> Exchanges:
        """Of all its moves so far."""
