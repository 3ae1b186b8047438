"""The ranks of a team: the protocol, and the implementation for a single process."""

from dataclasses import dataclass
from typing import Any, Protocol

from mcts_cluster.parallel.sharing.exchange import Numbers

Order = tuple[Any, ...]


class Sum(Protocol):
    """Numbers on their way to be summed."""

    def look(self) -> None:
        """Let the sum progress; to be called now and then."""

    def finish(self) -> Numbers:
        """Wait for the sums."""


class Ranks(Protocol):
    """The ranks of a team, seen from one of them."""

    number: int
    count: int

    def start(self, numbers: Numbers) -> "Sum":
        """Begin to sum over all ranks."""

    def least(self, numbers: Numbers) -> Numbers:
        """Return the least of all ranks, number by number."""

    def broadcast(self, order: Order) -> None:
        """For the leader: send an order to all other ranks."""

    def next_order(self) -> Order:
        """For all other ranks: sleep until there is an order."""

    def first(self, count: int) -> "Ranks":
        """Return the first of these ranks; all of those must call it."""


@dataclass
class Summed:
    numbers: Numbers

    def look(self) -> None:
        pass

    def finish(self) -> Numbers:
        return self.numbers


class Alone:
    """A process without other ranks."""

    number = 0
    count = 1

    def start(self, numbers: Numbers) -> Sum:
        return Summed(numbers)

    def least(self, numbers: Numbers) -> Numbers:
        return numbers

    def broadcast(self, order: Order) -> None:
        pass

    def next_order(self) -> Order:
        raise AssertionError("no rank leads")

    def first(self, count: int) -> "Alone":
        return self


ALONE = Alone()
