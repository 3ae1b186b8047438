"""Campaigns side by side: what became of the same mutations, by their patterns.

The intervals are those that are valid although the results have stopped the races. Rates are apart
if these do not overlap: of equal ones that has at most twice the risk of a race. There is no error
of a difference, since a race ends where its rate looks best.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from mcts_cluster.jobs import compatibility
from mcts_cluster.reports import campaigns
from mcts_cluster.reports.compare.origins import Lettered, player_settings
from mcts_cluster.reports.compare.same_matches import moves_of
from mcts_cluster.reports.compare.side_by_side import SideBySide, in_common
from mcts_cluster.settings.words import counted
from mcts_cluster.storage import campaign_tables
from mcts_cluster.storage.campaign_tables import CampaignTables, CandidateRecord

# What is told of a mutation in each file, as names and numbers.
OF_EACH = (
    *("iteration", "candidate", "first", "second", "verdict"),
    *("games", "mean", "low", "high", "lower", "upper"),
)
# The lines of a mutation's patterns, after those of the mutations of its baseline.
Patterns = tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Fates:
    """What became of a mutation in two campaigns, by the letters of their files."""

    letters: tuple[str, str]
    first: CandidateRecord
    second: CandidateRecord
    same_baseline: bool
    are_same_games: bool  # move by move

    @property
    def verdicts(self) -> tuple[str, str]:
        return self.first.verdict or "undecided", self.second.verdict or "undecided"

    @property
    def higher(self) -> str:
        """The letter of the file with the higher rate, if the intervals are apart."""
        one, other = self.first.estimates[-1], self.second.estimates[-1]
        if one.low > other.high:
            return self.letters[0]
        return self.letters[1] if other.low > one.high else ""

    @property
    def conclusion(self) -> str:
        if not self.same_baseline:
            return "other baseline"
        # The same games may be judged by other rules.
        if self.are_same_games and len(set(self.verdicts)) == 1:
            return "the same games"
        verdict = "same verdict" if len(set(self.verdicts)) == 1 else "other verdict"
        return f"{verdict}, {self.higher} higher" if self.higher else verdict


def side_by_side(files: Lettered) -> SideBySide:
    """Return the mutations that at least two files have raced; raises UserError without any."""
    read = {letter: campaign_tables.in_file(results) for letter, results in files.items()}
    raced = {letter: by_patterns(tables) for letter, tables in read.items()}
    found = list(fates(raced, {letter: moves_of(results) for letter, results in files.items()}))
    names = {letter: [one.players[0] for one in tables.raced] for letter, tables in read.items()}
    in_common(found, files, "mutation", names)
    return SideBySide(
        headings(files),
        [cells(one, len(files)) for one in found],
        list(notes(read, found)),
        list(map(names_and_numbers, found)),
        {letter: settings(compatibility.read(one.settings)) for letter, one in files.items()},
        spare=("race", "bounds", "interval"),
    )


def by_patterns(tables: CampaignTables) -> dict[Patterns, CandidateRecord]:
    """Return the candidates that have raced, by their patterns and those of their baseline."""
    pictures = {record.match.place: tuple(record.picture) for record in tables.candidates}
    return {
        tuple(pictures[place] for place in record.match.mutations): record
        for record in tables.raced
    }


def fates(
    raced: Mapping[str, Mapping[Patterns, CandidateRecord]], moves: Mapping[str, Mapping[Any, Any]]
) -> Iterator[Fates]:
    """Yield each mutation of a file next to that of the first file that has it, in its order.

    Against the same baseline if it has played against that, else against the last other one. Moves
    are hashes of the games of each file, by their matches.
    """
    letters = list(raced)
    own = {letter: {patterns[-1]: patterns for patterns in raced[letter]} for letter in letters}
    for place, letter in enumerate(letters):
        for mutation, patterns in own[letter].items():
            if any(mutation in own[before] for before in letters[:place]):
                continue
            for other in letters[place + 1 :]:
                if mutation in own[other]:
                    there = patterns if patterns in raced[other] else own[other][mutation]
                    first, second = raced[letter][patterns], raced[other][there]
                    same = np.array_equal(moves[letter][first.match], moves[other][second.match])
                    yield Fates((letter, other), first, second, patterns == there, same)


def settings(described: Mapping[str, Any]) -> dict[str, Any]:
    """Return what decides the games of a campaign."""
    campaign = dict(described.get("campaign", {}))
    # What is compared with changes no game.
    campaign.pop("published", None)
    names = [campaign["player"]] if "player" in campaign else []
    return {
        "seed": described.get("seed"),
        "game": described.get("game"),
        "campaign": campaign,
        "player": player_settings(described, {name: name for name in names}),
    }


# As text, and as names and numbers


def headings(files: Lettered) -> list[str]:
    of_files = [] if len(files) == 2 else ["files"]
    return ["race", "candidate", *of_files, "verdicts", "games", "interval", "bounds", "verdict"]


def cells(one: Fates, files: int) -> list[str]:
    ends = [record.estimates[-1] for record in (one.first, one.second)]
    looks = [record.deciding_looks[-1] for record in (one.first, one.second)]
    return [
        str(one.first.iteration),
        one.first.players[0],
        *[" ".join(one.letters)] * (files > 2),
        " / ".join(one.verdicts),
        " / ".join(f"{end.games:,}" for end in ends),
        " / ".join(percent(end.low, end.high) for end in ends),
        " / ".join(percent(look.lower, look.upper) for look in looks),
        one.conclusion,
    ]


def percent(low: float, high: float) -> str:
    return f"{100 * low:.1f}–{100 * high:.1f}"


def notes(read: Mapping[str, CampaignTables], found: Sequence[Fates]) -> Iterator[str]:
    """Yield how many verdicts are others, and where the campaigns stand."""
    own = [one for one in found if one.same_baseline]
    others = sum(len(set(one.verdicts)) > 1 for one in own)
    apart = sum(bool(one.higher) for one in own)
    same = sum(one.are_same_games for one in own)
    yield (
        f"{counted(len(found), 'mutation')} in common, {len(own):,} against the same baseline: "
        f"{counted(others, 'other verdict')}, {counted(apart, 'rate')} apart"
        f"{f', {same:,} of the same games, move by move' if same else ''}."
    )
    for letter, tables in read.items():
        yield (
            f"{letter}: {len(tables.verdicts):,} of {counted(tables.iterations, 'race')} finished, "
            f"{counted(len(tables.accepted), 'mutation')} accepted, {tables.counted:,} games "
            f"count, risk of error at most {tables.spent:.3g}"
        )


def names_and_numbers(one: Fates) -> dict[str, Any]:
    found: dict[str, Any] = {
        "file": one.letters[0],
        "other_file": one.letters[1],
        "same_baseline": one.same_baseline,
        "are_same_games": one.are_same_games,
    }
    for prefix, record in (("", one.first), ("other_", one.second)):
        own = campaigns.names_and_numbers(record)
        found |= {f"{prefix}{name}": own[name] for name in OF_EACH}
    return found | {"conclusion": one.conclusion}
