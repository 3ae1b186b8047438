"""What the games of each match come to: sums over their columns, taken part by part.

Of a game nothing is kept but eight bytes that tell it from others, and these for a while.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import product
from typing import Any

import numpy as np

from mcts_cluster.columns import SIDES
from mcts_cluster.storage.rows.stored_rows import StoredRows

# Of the searches and the replies of a player.
COLUMNS = ("full_searches", "replies", "same_replies")


@dataclass
class MatchSums:
    """What the games of a match come to."""

    games: int = 0  # without void ones
    void: int = 0
    points: float = 0.0
    plies: int = 0
    endings: Counter[str] = field(default_factory=Counter)  # what decided how many games
    # By the parity of their numbers, which tells who begins, and by the points.
    scores: Counter[tuple[int, float]] = field(default_factory=Counter)
    # Those of COLUMNS, of both players.
    of_players: Mapping[tuple[str, str], int] = field(default_factory=dict)


Found = defaultdict[Hashable, MatchSums]


def tallies(games: StoredRows) -> Found:
    """Return the games, the void ones and the points of each match."""
    matches = games.linked["match"]
    sums = np.zeros((3, len(matches)))
    for match, points in games.parts("match", "points"):
        for own, chosen, weights in (
            (sums[0], ~np.isnan(points), None),
            (sums[1], np.isnan(points), None),
            (sums[2], ~np.isnan(points), points),
        ):
            own += added(match, chosen, weights, len(matches))
    found: Found = defaultdict(MatchSums)
    for key, (played, void, total) in zip(matches, sums.T.tolist(), strict=True):
        found[key] = MatchSums(int(played), int(void), total)
    return found


def match_sums(games: StoredRows) -> Found:
    """Return all sums of each match."""
    matches, found = games.linked["match"], tallies(games)
    names = [(side, name) for side in SIDES for name in COLUMNS]
    sums = np.zeros((1 + len(names), len(matches)), np.int64)
    columns = ("match", "points", "number", "moves_end", "how", *map("_".join, names))
    for match, points, number, plies, how, *of_players in games.parts(*columns):
        played = ~np.isnan(points)
        for parity, score in product((0, 1), (1.0, 0.5, 0.0)):
            chosen = (points == score) & (number % 2 == parity)
            for key, count in zip(matches, added(match, chosen, None, len(matches)), strict=True):
                found[key].scores[parity, score] += int(count)
        for own, cells in zip(sums, (plies, *of_players), strict=True):
            # Older files have not counted some, and say -1.
            own += added(match, played, np.maximum(0, cells), len(matches)).astype(np.int64)
        both, counts = np.unique(np.stack([match[played], how[played]]), axis=1, return_counts=True)
        for of_match, of_text, count in zip(*both.tolist(), counts.tolist(), strict=True):
            found[matches[of_match]].endings[games.linked["how"][of_text]] += count
    for key, (plies, *others) in zip(matches, sums.T.tolist(), strict=True):
        found[key].plies = plies
        found[key].of_players = dict(zip(names, others, strict=True))
    return found


def added(matches: Any, chosen: Any, weights: Any, count: int) -> Any:
    """Return the sum of the chosen weights of each match, of 1 where there are none."""
    return np.bincount(matches[chosen], None if weights is None else weights[chosen], count)


def different(games: StoredRows, sums: Found) -> dict[Hashable, int]:
    """Return how many games of each match there are of which none equals another one.

    Games are equal if the same player has begun and all moves are the same.
    """
    matches = games.linked["match"]
    hashes = {key: np.empty(of_it.games, np.int64) for key, of_it in sums.items()}
    filled: Counter[Hashable] = Counter()
    for match, own in hashes_of_games(games):
        for number in np.unique(match).tolist():
            key = matches[number]
            chosen = own[match == number]
            hashes[key][filled[key] : filled[key] + len(chosen)] = chosen
            filled[key] += len(chosen)
    found = {}
    for key, of_match in hashes.items():
        of_match.sort()
        found[key] = int(np.count_nonzero(of_match[1:] != of_match[:-1])) + bool(len(of_match))
    return found


def hashes_of_games(games: StoredRows, of_numbers: bool = False) -> Iterator[tuple[Any, Any]]:
    """Yield, part by part, the matches of games that count, and hashes of who began and moves.

    The hashes may be of their numbers and moves instead.
    """
    first = 0
    for match, points, number, plies in games.parts("match", "points", "number", "moves_end"):
        end = first + int(plies.sum())
        moves = games.listed("moves_end", first, end)
        played = ~np.isnan(points)
        ends = np.cumsum(plies)
        which = number if of_numbers else number % 2
        found = [
            hash((begins, moves[a:b].tobytes()))
            for begins, a, b in zip(
                which[played].tolist(),
                (ends - plies)[played].tolist(),
                ends[played].tolist(),
                strict=True,
            )
        ]
        yield match[played], np.array(found, dtype=np.int64)
        first = end


def pairs(games: StoredRows, key: Hashable) -> Counter[tuple[float, float]]:
    """Return how often games 2k and 2k + 1 of a match have given the same two numbers of points."""
    wanted = list(games.linked["match"]).index(key)
    numbers, scores = [], []
    for match, points, number in games.parts("match", "points", "number"):
        chosen = (match == wanted) & ~np.isnan(points)
        numbers.append(number[chosen])
        # Points are halves.
        scores.append((2 * points[chosen]).astype(np.int8))
    number, score = np.concatenate(numbers), np.concatenate(scores)
    order = np.argsort(number, kind="stable")
    number, score = number[order], score[order]
    firsts = np.flatnonzero((number[:-1] % 2 == 0) & (number[1:] == number[:-1] + 1))
    both, counts = np.unique(
        np.stack([score[firsts], score[firsts + 1]]), axis=1, return_counts=True
    )
    return Counter(
        {(a / 2, b / 2): n for a, b, n in zip(*both.tolist(), counts.tolist(), strict=True)}
    )
