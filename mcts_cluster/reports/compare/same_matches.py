"""Which matches of several files are the same, and which of their games are.

Matches are the same if their players have the same names, or the same settings under other names;
so are players at positions.
"""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from mcts_cluster.jobs import compatibility
from mcts_cluster.matches.setup import MatchKey
from mcts_cluster.reports.compare.origins import Lettered, player_settings
from mcts_cluster.storage.results import Results
from mcts_cluster.storage.rows.match_sums import hashes_of_games

NO_GAMES = np.zeros(0, np.int64)

# Its own keys by those of the first file that has the matches.
Keys = Mapping[MatchKey, MatchKey]


def own_keys(files: Lettered, letter: str) -> dict[MatchKey, MatchKey]:
    """Return a file's matches by the names that they have in the first file that has them.

    A match whose names no file before has may have the settings of one there, under other names.
    """
    before = dict(list(files.items())[: list(files).index(letter)])
    known = {match.key for results in before.values() for match in results.matches}
    own = {match.key for match in files[letter].matches}
    found = {key: key for key in own & known}
    for key in [match.key for match in files[letter].matches if match.key not in known]:
        alike = list(by_settings(before, known - own, files[letter], key))
        only = alike[0] if len(alike) == 1 and alike[0] not in found else key
        found[only] = key
    return found


def by_settings(
    before: Lettered, keys: set[MatchKey], results: Results, key: MatchKey
) -> Iterator[MatchKey]:
    """Yield matches of other files whose two players have the settings of those of a match."""
    own = player_pair(results, key)
    for other in sorted(keys):
        theirs = [player_pair(one, other) for one in before.values()]
        if None not in own and own in theirs:
            yield other


def player_pair(results: Results, key: MatchKey) -> tuple[Any, ...]:
    described = compatibility.read(results.settings)
    players = player_settings(described, {name: name for name in key.players})
    return (*map(players.get, key.players), described.get("game"))


def moves_of(results: Results) -> dict[MatchKey, Any]:
    """Return a hash of each game of each match that counts, of its number and its moves.

    They are without repetition, and rise.
    """
    matches = results.games.linked["match"]
    found: dict[MatchKey, list[Any]] = {key: [NO_GAMES] for key in matches}
    for match, hashes in hashes_of_games(results.games, of_numbers=True):
        for number in np.unique(match).tolist():
            found[matches[number]].append(hashes[match == number])
    return {key: np.unique(np.concatenate(own)) for key, own in found.items()}


def in_both(games: Any, others: Any) -> int:
    """Return how many games of two matches are the same, given their hashes."""
    return len(np.intersect1d(games, others, assume_unique=True))
