"""Rows of several tables, one after another: records are made of them where somebody asks."""

from collections.abc import Iterator, Sequence
from itertools import accumulate, pairwise
from typing import Any, overload

import numpy as np

from mcts_cluster.storage.rows.stored_rows import BLOCK, StoredRows

# Some rows of a table: their places, which rise.
Part = tuple[StoredRows, Any]


class JoinedRows(Sequence[Any]):
    """Some rows of several tables."""

    def __init__(self, parts: Sequence[Part]) -> None:
        self.parts = parts
        self.ends = list(accumulate((len(places) for _, places in parts), initial=0))

    def __len__(self) -> int:
        return self.ends[-1]

    @overload
    def __getitem__(self, place: int) -> Any: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[Any, ...]: ...
    def __getitem__(self, place: int | slice) -> Any:
        if isinstance(place, slice):
            start, end, step = place.indices(len(self))
            return tuple(self.between(start, end)) if step == 1 else tuple(self)[place]
        number = range(len(self))[place]
        return next(self.between(number, number + 1))

    def __iter__(self) -> Iterator[Any]:
        return self.between(0, len(self))

    def between(self, start: int, end: int) -> Iterator[Any]:
        for (rows, places), (first, last) in zip(self.parts, pairwise(self.ends), strict=True):
            own = places[max(0, start - first) : max(0, min(end, last) - first)]
            for begin in range(0, len(own), BLOCK):
                yield from records(rows, own[begin : begin + BLOCK])


def records(rows: StoredRows, places: Any) -> Iterator[Any]:
    """Yield the records of some rows, a few of which are in memory at a time."""
    turns = np.asarray(places) // BLOCK
    steps = (np.flatnonzero(np.diff(turns)) + 1).tolist()
    for start, end in pairwise([0, *steps, len(places)] if len(places) else ()):
        own = places[start:end]
        first = int(own[0])
        found = rows[first : int(own[-1]) + 1]
        yield from (found[place - first] for place in own)
