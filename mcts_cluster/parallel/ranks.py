"""The processes that a team is laid over, as one of them sees them; here a process alone."""

from dataclasses import dataclass
from typing import Any, Protocol

from mcts_cluster.parallel.sharing.exchange import Numbers

Order = tuple[Any, ...]


class Sum(Protocol):
    """Numbers on their way to be summed."""

    def look(self) -> None:
        """Help them on; to be called now and then."""

    def finish(self) -> Numbers:
        """Wait for the sums."""


class Ranks(Protocol):
    """The processes that a team is laid over, as one of them sees them."""

    number: int
    count: int

    def start(self, numbers: Numbers) -> "Sum":
        """Begin to sum over all ranks."""

    def least(self, numbers: Numbers) -> Numbers:
        """Return the least of all ranks, number by number."""

    def broadcast(self, order: Order) -> None:
        """Of the leader: give an order to all the others."""

    def next_order(self) -> Order:
        """Of all the others: sleep until there is an order."""

    def first(self, count: int) -> "Ranks":
        """Return the first of these ranks; all of those are to ask for it."""


@dataclass
class Summed:
    numbers: Numbers

    def look(self) -> None:
        pass

    def finish(self) -> Numbers:
        return self.numbers


class Alone:
    """A process that has no others."""

    number = 0
    count = 1

    def start(self, numbers: Numbers) -> Sum:
        return Summed(numbers)

    def least(self, numbers: Numbers) -> Numbers:
        return numbers

    def broadcast(self, order: Order) -> None:
        pass

    def next_order(self) -> Order:
        raise AssertionError("nobody leads")

    def first(self, count: int) -> "Alone":
        return self


ALONE = Alone()
