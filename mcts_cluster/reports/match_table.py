"""Files of matches: each match with its success rate, next to the published one.

Ours is given with one standard error and with Wilson's interval, the paper's with its own error.
Without a published one it stands next to one half: in Elo, with the likelihood that the first
player is the stronger one, and with the difference that so many games show.

The verdict compares the two at 95 %: "differs" where chance does not explain the difference;
"agrees" where it does and a difference of RESOLUTION points would have been seen, or as much of one
as the paper's own error allows; else there are too few games, and it has the number missing.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import astuple, dataclass
from math import ceil, isnan, nan, sqrt
from typing import Any

import numpy as np

from mcts_cluster import published
from mcts_cluster.columns import SIDES
from mcts_cluster.matches.game_record import GameRecord, by_structure
from mcts_cluster.matches.setup import MatchKey
from mcts_cluster.published import Figure
from mcts_cluster.reports.compare.one_half import (
    elo_text,
    likelihood_text,
    numbers,
    visibility,
    won,
)
from mcts_cluster.settings.words import counted
from mcts_cluster.storage.results import MatchRecord
from mcts_cluster.storage.rows.match_sums import (
    COLUMNS,
    MatchSums,
    different,
    match_sums,
    pairs,
    tallies,
)
from mcts_cluster.storage.rows.stored_rows import StoredRows, columnar
from mcts_cluster.success_rates import Z95, correlation, success, wilson
from mcts_cluster.superiority import NO_GAMES, Score

# The smallest difference between our rate and a paper's that must be visible, in points.
RESOLUTION = 5.0
# Errors are those of games without draws; where draws make them so much less, that is told.
LESS = 0.95
# Headings of columns, and what stands below.
WON, LOS = "won–lost", "LOS"
LEGEND = "± is one standard error, LOS the likelihood that the first player is the stronger one."


@dataclass(frozen=True)
class MatchSummary:
    """A match in the table; rates, errors and intervals in percent."""

    match: MatchKey
    wanted: int
    games: int
    rate: float
    error: float
    low: float
    high: float
    plies: float
    void: int
    repeats: int  # games that another game of the match equals, move by move
    published: Figure | None
    pairs: int = 0  # of games with the same opening
    correlation: float = nan  # of the points of their first player
    correlation_error: float = nan
    endings: tuple[tuple[str, int], ...] = ()  # of Havannah: what decided how many games
    # Of both players: searches that ran full, and the share of the machines of a team that would
    # reply the same.
    full: tuple[int, int] = (0, 0)
    agreements: tuple[float, float] = (nan, nan)
    # Of the first player: where it begins, and where the other one does.
    beginning: Score = NO_GAMES
    following: Score = NO_GAMES

    @property
    def score(self) -> Score:
        """The score of the first player."""
        halves = zip(astuple(self.beginning), astuple(self.following), strict=True)
        return Score(*map(sum, halves))

    @property
    def needed(self) -> int:
        """How many more games would show a difference from the paper, if there were one."""
        if not self.published:
            return 0
        theirs = self.published.error
        ours = max((RESOLUTION / Z95) ** 2 - theirs**2, theirs**2)
        rate = self.rate / 100
        spread = max(rate * (1 - rate), 0.05)
        return max(0, ceil(1e4 * spread / ours) - self.games)

    @property
    def verdict(self) -> str:
        if not self.published:
            return ""
        theirs = self.published
        if abs(self.rate - theirs.rate) > Z95 * sqrt(self.error**2 + theirs.error**2):
            return "differs"
        return f"too few: {self.needed:,} more" if self.needed else "agrees"


def lines(matches: Sequence[MatchRecord], rows: Sequence[GameRecord]) -> list[MatchSummary]:
    """Return a summary of each match with a game that counts."""
    games = columnar(rows, GameRecord)
    sums = match_sums(games)
    several = different(games, sums)
    return [
        line_of(match, sums[match.key], several[match.key], games)
        for match in matches
        if sums[match.key].games
    ]


def line_of(
    match: MatchRecord, of_it: MatchSums, different: int, games: StoredRows
) -> MatchSummary:
    """Return a match with its sums, and how many of its games differ."""
    first, second = ({name: of_it.of_players[side, name] for name in COLUMNS} for side in SIDES)
    return MatchSummary(
        match.key,
        match.games,
        of_it.games,
        *success(of_it.points, of_it.games),
        *wilson(of_it.points, of_it.games),
        plies=of_it.plies / of_it.games,
        void=of_it.void,
        repeats=of_it.games - different,
        published=published.figures().get(match.published),
        **of_pairs(pairs(games, match.key) if match.opening else {}),
        endings=endings_of(of_it),
        full=(first["full_searches"], second["full_searches"]),
        agreements=(agreement(first), agreement(second)),
        beginning=score_of(of_it, 0),
        following=score_of(of_it, 1),
    )


def score_of(of_it: MatchSums, parity: int) -> Score:
    """Return the score of the first player in games with even or odd numbers."""
    return Score(*(of_it.scores[parity, points] for points in (1.0, 0.5, 0.0)))


def endings_of(of_it: MatchSums) -> tuple[tuple[str, int], ...]:
    """Return what decided how many games, the most frequent first; nothing without structures."""
    if not any(map(by_structure, of_it.endings)):
        return ()
    return tuple(sorted(of_it.endings.items(), key=lambda ending: (-ending[1], ending[0])))


def agreement(of_player: Mapping[str, int]) -> float:
    replies = of_player["replies"]
    return of_player["same_replies"] / replies if replies else nan


def of_pairs(counts: Mapping[tuple[float, float], int]) -> dict[str, Any]:
    """Return the correlation of games 2k and 2k + 1."""
    found, error = correlation(counts)
    return {"pairs": sum(counts.values()), "correlation": found, "correlation_error": error}


def remarks(found: Iterable[MatchSummary]) -> list[str]:
    """Return remarks on the rates."""
    notes = []
    for line in found:
        if line.endings:
            shares = (f"{how} {100 * count / line.games:.0f} %" for how, count in line.endings)
            notes.append(f"{line.match}: {', '.join(shares)}")
        for name, full, agreement in zip(
            (line.match.first, line.match.second), line.full, line.agreements, strict=True
        ):
            if full:
                notes.append(
                    f"{line.match}: {full:,} searches of {name} filled their trees, and went on "
                    "without room"
                )
            if not isnan(agreement):
                notes.append(
                    f"{line.match}: after a move {100 * agreement:.0f} % of the machines of {name} "
                    "would play the same reply"
                )
        if line.void:
            notes.append(f"{line.match}: {line.void} void games, which do not count")
        if line.score.spread < LESS:
            notes.append(
                f"{line.match}: {counted(line.score.draws, 'draw')}, so the error is "
                f"{line.score.spread:.2f} times what is shown"
            )
        if line.repeats:
            notes.append(
                f"{line.match}: {line.repeats} of {line.games} games repeat another one move by "
                "move, so the error is larger than shown"
            )
        if not isnan(line.correlation):
            notes.append(
                f"{line.match}: the games of an opening correlate at {line.correlation:+.2f} ± "
                f"{line.correlation_error:.2f} ({line.pairs} pairs){of_errors(line)}"
            )
    return notes


def of_errors(line: MatchSummary) -> str:
    """Return how wrong errors are that take the games of a pair for independent, if it shows."""
    if abs(line.correlation) <= Z95 * line.correlation_error:
        return ""
    return f", so the error is {sqrt(1 + line.correlation):.2f} times what is shown"


def only_void(matches: Iterable[MatchRecord], rows: Sequence[GameRecord]) -> list[str]:
    """Return a line for each match that has void games only."""
    games = columnar(rows, GameRecord)
    sums = tallies(games)
    void = [match.key for match in matches if sums[match.key].void and not sums[match.key].games]
    lasts = last_endings(games, void)
    return [
        f"{key}: {sums[key].void} void games, and no other; the last one: {lasts[key]}"
        for key in void
    ]


def last_endings(games: StoredRows, matches: Sequence[MatchKey]) -> dict[MatchKey, str]:
    """Return how the last game of some matches has ended."""
    numbers = {games.linked["match"].index(key): key for key in matches}
    found = {}
    for match, how in games.parts("match", "how") if numbers else ():
        for number, key in numbers.items():
            if len(places := np.flatnonzero(match == number)):
                found[key] = games.linked["how"][how[places[-1]]]
    return found


def any_published(found: Iterable[MatchSummary]) -> bool:
    return any(line.published for line in found)


def headings(found: Sequence[MatchSummary], colors: Sequence[str] = ()) -> list[str]:
    """Return the headings; colors are those of who begins and of the other one."""
    if any_published(found):
        return ["match", "games", "success rate", "95 %", "published", "verdict", "plies"]
    sides = [" / ".join(colors)] * bool(colors)
    return ["match", "games", "success rate", "95 %", WON, "Elo", LOS, *sides, "plies"]


def cells(
    line: MatchSummary, heads: Sequence[str], others: Mapping[str, str] | None = None
) -> list[str]:
    """Return the cells of a line by their headings, of others those that are there."""
    theirs = line.published
    # The papers print two decimals at most; errors that they lack are computed.
    texts = {
        "match": str(line.match),
        "games": str(line.games),
        WON: won(line.score),
        "success rate": f"{line.rate:.1f} ± {line.error:.1f} %",
        "95 %": f"{line.low:.1f}–{line.high:.1f}",
        "Elo": elo_text(line.score),
        LOS: likelihood_text(line.score),
        "published": f"{theirs.rate:g} ± {round(theirs.error, 2):g} %" if theirs else "",
        "verdict": line.verdict,
        "plies": f"{line.plies:.0f}",
    }
    texts |= others or {}
    return [texts.get(head, "") for head in heads]


def spare(colors: Sequence[str]) -> list[str]:
    """Return the headings that give way where there is no room, the first one first."""
    return ["plies", "95 %", " / ".join(colors), WON]


def legend(found: Sequence[MatchSummary]) -> list[str]:
    """Return what columns mean, what so many games show, and rates that have no such columns."""
    own = [line for line in found if not line.published]
    others = map(told, own) if any_published(found) else ()
    return [*others, LEGEND, visibility(line.games for line in own)] if own else []


def told(line: MatchSummary) -> str:
    """Return in a line which player of a match is the stronger."""
    score, elo, likelihood = cells(line, (WON, "Elo", LOS))
    return f"{line.match}: {score}, Elo {elo}, LOS {likelihood}"


def names_and_numbers(line: MatchSummary) -> dict[str, Any]:
    """Return a line as names and numbers."""
    theirs = line.published
    return {
        "match": str(line.match),
        "wanted": line.wanted,
        "games": line.games,
        "void": line.void,
        "repeats": line.repeats,
        "success_rate": round(line.rate, 4),
        "standard_error": round(line.error, 4),
        "wilson_low": round(line.low, 4),
        "wilson_high": round(line.high, 4),
        **numbers(line.score, line.beginning, line.following),
        "plies": round(line.plies, 2),
        "published_rate": theirs.rate if theirs else None,
        "published_error": theirs.error if theirs else None,
        "verdict": line.verdict or None,
        "pairs": line.pairs,
        "pair_correlation": None if isnan(line.correlation) else round(line.correlation, 4),
        "games_needed": line.needed if theirs else None,
        **({"endings": dict(line.endings)} if line.endings else {}),
        **dict(zip(("first_full_searches", "second_full_searches"), line.full, strict=True)),
        **{
            f"{side}_agreement": None if isnan(one) else round(one, 4)
            for side, one in zip(("first", "second"), line.agreements, strict=True)
        },
    }
