"""Files of matches or positions side by side: the rates of each match, and their difference.

Rates of two files differ if their difference is more than chance makes of equal ones, at 95 %. Each
is compared with that of the first file that has the match.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import exp, lgamma, log, sqrt
from typing import Any

from mcts_cluster.jobs import compatibility
from mcts_cluster.matches.setup import MatchKey
from mcts_cluster.reports.compare.origins import Lettered, names_of, player_settings, some
from mcts_cluster.reports.compare.same_matches import Keys, in_both, moves_of, own_keys
from mcts_cluster.reports.compare.side_by_side import SideBySide, in_common
from mcts_cluster.reports.formats import plain
from mcts_cluster.reports.match_table import MatchSummary, lines
from mcts_cluster.storage.results import Results
from mcts_cluster.success_rates import Z95
from mcts_cluster.superiority import visible_between

# Of equal rates the verdict finds so many different.
BY_CHANCE = 0.05
NONE = "no difference shown"


@dataclass(frozen=True)
class Difference:
    """The rates of a match in two files, by the letters of these."""

    match: MatchKey
    letters: tuple[str, str]
    first: MatchSummary
    second: MatchSummary
    same: int = 0  # games that are in both, move by move

    def of(self, letter: str) -> list[MatchSummary]:
        """Return the line of a file, if it is one of the two."""
        both = zip(self.letters, (self.first, self.second), strict=True)
        return [line for own, line in both if own == letter]

    @property
    def points(self) -> float:
        """By how much the second rate is the higher one, in points."""
        return self.second.rate - self.first.rate

    @property
    def error(self) -> float:
        return sqrt(self.first.error**2 + self.second.error**2)

    @property
    def visible(self) -> float:
        """The smallest difference that so many games show."""
        games = self.first.games, self.second.games
        rate = sum(one.score.points for one in (self.first, self.second)) / sum(games)
        return visible_between(100 * rate, *games)

    @property
    def are_same_games(self) -> bool:
        return self.same == max(self.first.games, self.second.games)

    @property
    def is_shown(self) -> bool:
        return abs(self.points) > Z95 * self.error

    @property
    def verdict(self) -> str:
        if self.are_same_games:
            return "the same games"
        if not self.is_shown:
            return NONE
        higher = self.letters[self.points > 0]
        return f"{higher} higher by {abs(self.points):.1f} ± {self.error:.1f} points"


def side_by_side(files: Lettered) -> SideBySide:
    """Return the matches that at least two files have games of; raises UserError without any."""
    found = {letter: summaries(results) for letter, results in files.items()}
    keys = {letter: own_keys(files, letter) for letter in files}
    compared = list(differences(files, found, keys))
    is_of_positions = next(iter(files.values())).kind == "positions"
    in_common(compared, files, "position and player" if is_of_positions else "match", found)
    return SideBySide(
        headings(files),
        [cells(one, len(files)) for one in compared],
        [*notes(compared), *alone(found, compared)],
        list(map(names_and_numbers, compared)),
        settings(files, keys, compared),
        spare=("games",),
    )


def summaries(results: Results) -> dict[MatchKey, MatchSummary]:
    return {line.match: line for line in lines(results.matches, results.rows)}


# Differences


def differences(
    files: Lettered,
    found: Mapping[str, Mapping[MatchKey, MatchSummary]],
    keys: Mapping[str, Keys],
) -> Iterator[Difference]:
    """Yield each match of a file next to that of the first file that has it, in its order."""
    moves = {letter: moves_of(results) for letter, results in files.items()}
    for place, (letter, of_file) in enumerate(found.items()):
        for key, line in of_file.items():
            if any(keys[before].get(key) in found[before] for before in list(files)[:place]):
                continue
            for other in list(files)[place + 1 :]:
                own = keys[other].get(key)
                if own and own in found[other]:
                    same = in_both(moves[letter][key], moves[other][own])
                    yield Difference(key, (letter, other), line, found[other][own], same)


def settings(
    files: Lettered, keys: Mapping[str, Keys], compared: Sequence[Difference]
) -> dict[str, Mapping[str, Any]]:
    """Return what decides the games of the compared matches, by the letters of files."""
    known = {one.match for one in compared}
    found: dict[str, Mapping[str, Any]] = {}
    for letter, results in files.items():
        own = {key: one for key, one in keys[letter].items() if key in known}
        described = compatibility.read(results.settings)
        found[letter] = {
            "seed": described.get("seed"),
            "game": described.get("game"),
            "player": player_settings(described, names_of(own)),
            "match": of_matches(described, own),
            "position": of_positions(described, own),
        }
    return found


def of_matches(described: Mapping[str, Any], keys: Keys) -> dict[str, Any]:
    """Return the settings of matches, without how many games they have."""
    of_key = {(one["first"], one["second"]): one for one in described.get("match", ())}
    return {
        str(key): {name: of_key[own.players][name] for name in ("opening", "resign_below")}
        for key, own in keys.items()
        if own.players in of_key
    }


def of_positions(described: Mapping[str, Any], keys: Keys) -> dict[str, Any]:
    known = described.get("positions", {}).get("positions", {})
    return {key.second: known[own.second] for key, own in keys.items() if own.second in known}


# As text, and as names and numbers


def headings(files: Lettered) -> list[str]:
    if len(files) == 2:
        return ["match", "games", *files, "difference", "verdict"]
    return ["match", "files", "games", "first", "second", "difference", "verdict"]


def cells(one: Difference, files: int) -> list[str]:
    return [
        str(one.match),
        *[" ".join(one.letters)] * (files > 2),
        f"{one.first.games:,} / {one.second.games:,}",
        *(f"{line.rate:.1f} ± {line.error:.1f} %" for line in (one.first, one.second)),
        f"{one.points:+.1f} ± {one.error:.1f}",
        "none shown" if one.verdict == NONE else one.verdict.partition(" by ")[0],
    ]


def notes(compared: Sequence[Difference]) -> Iterator[str]:
    """Yield how many rates differ, how many would by chance, and what so many games show."""
    own = [one for one in compared if not one.are_same_games]
    shown = [one for one in own if one.is_shown]
    if len(own) == 1:
        yield f"{own[0].match}: {own[0].verdict}."
    elif own:
        yield (
            f"{len(own):,} pairs of rates compared, {len(shown):,} differ. If all were equal in "
            f"truth, about {plain(BY_CHANCE * len(own))} would differ by chance, at 95 %"
            f"{how_often(len(shown), len(own))}."
        )
    if own:
        least, most = (f"{pick(one.visible for one in own):.1f}" for pick in (min, max))
        many = f"{least} to {most}" if least != most else least
        yield f"So many games show differences of {many} points (at 95 %, four times in five)."
    if again := [str(one.match) for one in compared if one.are_same_games]:
        yield f"The same games in both files, move by move: {some(again)}."
    for one in compared:
        if one.same and not one.are_same_games:
            games = f"{one.same:,} of {min(one.first.games, one.second.games):,} games"
            files = " and ".join(one.letters)
            yield (
                f"{one.match}: {games} are in both {files}, move by move, so that the error is "
                "smaller than shown."
            )
        if one.first.match != one.second.match:
            yield f"{one.match} is {one.second.match} in {one.letters[1]}, with the same settings."


def how_often(differ: int, pairs: int) -> str:
    """Return how often chance makes so many pairs of equal rates differ, or more."""
    if not differ:
        return ""
    share = 1 - sum(likelihood(few, pairs) for few in range(differ))
    percent = f"{plain(100 * share)} %" if share >= 1e-4 else "less than 0.01 %"
    return f", and {differ:,} or more in {percent} of cases"


def likelihood(few: int, pairs: int) -> float:
    """Return how likely chance makes exactly so many pairs of equal rates differ."""
    ways = lgamma(pairs + 1) - lgamma(few + 1) - lgamma(pairs - few + 1)
    return exp(ways + few * log(BY_CHANCE) + (pairs - few) * log(1 - BY_CHANCE))


def alone(
    found: Mapping[str, Mapping[MatchKey, MatchSummary]], compared: Sequence[Difference]
) -> Iterator[str]:
    """Yield the rates of each file that stand next to none."""
    for letter, of_file in found.items():
        own = {line.match for one in compared for line in one.of(letter)}
        others = [str(key) for key in of_file if key not in own]
        if others:
            yield f"Only in {letter}: {some(others)}."


def names_and_numbers(one: Difference) -> dict[str, Any]:
    first, second = one.first, one.second
    return {
        "match": str(one.match),
        "file": one.letters[0],
        "other_file": one.letters[1],
        "games": first.games,
        "other_games": second.games,
        "success_rate": round(first.rate, 4),
        "standard_error": round(first.error, 4),
        "other_success_rate": round(second.rate, 4),
        "other_standard_error": round(second.error, 4),
        "difference": round(one.points, 4),
        "difference_error": round(one.error, 4),
        "visible_difference": round(one.visible, 4),
        "same_games": one.same,
        "differs": one.is_shown and not one.are_same_games,
        "verdict": one.verdict,
    }
