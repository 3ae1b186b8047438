"""Which of several files has each game, where it is in some of them: of a row eight bytes are kept.

A game is a number: that of its match among those of all files, and its own. The file from which it
is taken is the first in which it counts, or else that which has tried it most often.
"""

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from mcts_cluster.storage.rows.stored_rows import StoredRows

# How many rows of each file are compared at a time.
WINDOW = 2**16
COUNTS = 2**32  # more than there are void rows of a game
NO_GAMES = np.zeros(0, np.int64)


@dataclass(frozen=True)
class Owners:
    """Games that are in several files, as numbers that rise."""

    elsewhere: tuple[Any, ...]  # of each file, those that are taken from another one
    shared: Any  # those that count in several files, which must be the same there


def rows_as_numbers(games: StoredRows, matches: dict[Hashable, int]) -> Iterator[Any]:
    """Yield, part by part, a number of each row: twice that of its game, and 1 if it counts.

    Matches are numbered as they come.
    """
    of_matches = np.array(
        [matches.setdefault(key, len(matches)) for key in games.linked["match"]], dtype=np.int64
    )
    for match, number, points in games.parts("match", "number", "points"):
        game = of_matches[match] << 32 | number.astype(np.int64) & 0xFFFFFFFF
        yield game << 1 | ~np.isnan(points)


def sorted_numbers(games: StoredRows, matches: dict[Hashable, int]) -> Any:
    found, first = np.empty(len(games), np.int64), 0
    for part in rows_as_numbers(games, matches):
        found[first : first + len(part)] = part
        first += len(part)
    found.sort()
    return found


def owners(files: Sequence[StoredRows], matches: dict[Hashable, int]) -> Owners:
    """Return which games of each file are taken from another one."""
    elsewhere: list[list[Any]] = [[NO_GAMES] for _ in files]
    shared = [NO_GAMES]
    for parts in windows([sorted_numbers(games, matches) for games in files]):
        found = [scored(rows) for rows in parts]
        games, scores = map(np.concatenate, zip(*found, strict=True))
        file = np.repeat(np.arange(len(files)), [len(own) for own, _ in found])
        # The owner of each game first, then the others.
        order = np.lexsort((file, -scores, games))
        is_other = np.diff(games[order], prepend=-1) == 0
        others = order[is_other]
        for number, own in enumerate(elsewhere):
            own.append(games[others[file[others] == number]])
        shared.append(np.unique(games[others[scores[others] == COUNTS]]))
    return Owners(tuple(map(np.concatenate, elsewhere)), np.concatenate(shared))


def windows(files: Sequence[Any]) -> Iterator[list[Any]]:
    """Yield the rows of each file, numbers that rise, together with all others of their games."""
    steps = np.unique(np.concatenate([rows[WINDOW::WINDOW] >> 1 for rows in files]))
    starts = [0] * len(files)
    for game in [*steps.tolist(), None]:
        ends = [len(rows) if game is None else rows.searchsorted(2 * game) for rows in files]
        yield [rows[a:b] for rows, a, b in zip(files, starts, ends, strict=True)]
        starts = ends


def scored(rows: Any) -> tuple[Any, Any]:
    """Return the games of some rows, and how much a file knows of each."""
    games, firsts, counts = np.unique(rows >> 1, return_index=True, return_counts=True)
    # A row that counts stands behind the void ones.
    lasts = rows[firsts + counts - 1]
    return games, np.where(lasts & 1, COUNTS, counts)


def are_among(games: Any, some: Any) -> Any:
    """Return which games are among some that rise."""
    if not len(some):
        return np.zeros(len(games), bool)
    return some[np.minimum(some.searchsorted(games), len(some) - 1)] == games
