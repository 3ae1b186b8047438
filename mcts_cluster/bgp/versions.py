"""The players of a campaign: the baseline with some mutations, named after them.

    mogo+16+22+31 against mogo+16+22

The key of a candidate's match has the mutations themselves, so a worker needs no more to play its
games, and games next to another baseline are games of another match. No name is parsed back.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol

from mcts_cluster.matches.setup import Match, MatchKey, Setup
from mcts_cluster.players.mcts import Mcts

if TYPE_CHECKING:
    from mcts_cluster.bgp.campaign import Campaign

# Where a mutation stands in a campaign: its iteration and its number in that race, both from 1.
Place = tuple[int, int]


@dataclass(frozen=True)
class CandidateKey(MatchKey):
    """A candidate against its baseline: the first player has one mutation more."""

    mutations: tuple[Place, ...] = ()  # of the candidate, its own last

    @property
    def accepted(self) -> tuple[Place, ...]:
        return self.mutations[:-1]

    @property
    def place(self) -> Place:
        return self.mutations[-1]


def key(campaign: Campaign, mutations: tuple[Place, ...]) -> CandidateKey:
    """Return the key of the match whose candidate has these mutations."""
    before = mutations[:-1]
    return CandidateKey(campaign.version(mutations), campaign.version(before), mutations)


class StoredCandidate(Protocol):
    """A candidate as the table of a file has it."""

    @property
    def first(self) -> str: ...
    @property
    def second(self) -> str: ...
    @property
    def iteration(self) -> int: ...
    @property
    def candidate(self) -> int: ...
    @property
    def accepted(self) -> int: ...


def keys(candidates: Iterable[StoredCandidate]) -> Iterator[CandidateKey]:
    """Yield the keys of a file's candidates, given the rows of their table.

    A baseline with mutations was a candidate before: it stands above those that play against it.
    """
    known: dict[str, tuple[Place, ...]] = {}
    for row in candidates:
        before = known[row.second] if row.accepted else ()
        known[row.first] = (*before, (row.iteration, row.candidate))
        yield CandidateKey(row.first, row.second, known[row.first])


def match_of(campaign: Campaign, candidate: CandidateKey) -> Match:
    return Match(candidate, 0, opening=campaign.opening, resign_below=campaign.resign_below)


def players(setup: Setup, campaign: Campaign, candidate: CandidateKey) -> dict[str, Mcts]:
    """Return the candidate and its baseline by their names."""
    base = setup.players[campaign.player]
    assert isinstance(base, Mcts)
    mutations = [campaign.mutation(place) for place in candidate.mutations]
    return {
        candidate.first: replace(base, patterns=sum(mutations, base.patterns)),
        candidate.second: replace(base, patterns=sum(mutations[:-1], base.patterns)),
    }
