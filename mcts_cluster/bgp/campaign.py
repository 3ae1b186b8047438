"""A campaign: whose mutations race, how many, and how they are proposed.

docs/campaigns.md describes every key; jobs.campaigns reads them.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, ClassVar

from mcts_cluster.bgp import versions
from mcts_cluster.bgp.mutations import Mutation, Proposing
from mcts_cluster.bgp.race_settings import RaceSettings
from mcts_cluster.bgp.risk_budget import RiskBudget
from mcts_cluster.bgp.versions import CandidateKey, Place
from mcts_cluster.matches.game_record import GameRecord
from mcts_cluster.matches.match import play_or_void
from mcts_cluster.matches.setup import MatchKey, Setup, Task, opening, resign_below
from mcts_cluster.players.bias_patterns import Pattern
from mcts_cluster.players.mcts import Mcts
from mcts_cluster.seeds import seed
from mcts_cluster.settings.declaration import FREE, GROWS, setting


def campaigns() -> Iterable[str]:
    # Ranks that play need not read them.
    from mcts_cluster import published

    return published.campaigns()


@dataclass(frozen=True, kw_only=True)
class Campaign:
    """Races of mutations against a player, and how both are made."""

    player: str = setting(
        meaning="the name of a tree search of Go with its usual policy: the baseline"
    )
    iterations: int = setting(least=1, most=10**5, continued=GROWS, meaning="how many races")
    candidates: tuple[int, ...] = setting(
        1,
        listed="or list",
        least=1,
        most=1000,
        meaning="mutations in each race; a list has the number of the first race, the second and "
        "so on, and its last number holds for all others",
    )
    opening: int = opening()
    resign_below: float = resign_below()
    total_risk: float = setting(
        0.0,
        least=1e-9,
        most=0.5,
        usual="no limit",
        meaning="the risk of error of all races together, however many: race k gets 6/π²k² of it, "
        "instead of `risk`",
    )
    published: str = setting(
        "",
        choices=campaigns,
        continued=FREE,
        meaning="a campaign of the papers to compare with",
    )
    race: RaceSettings
    proposing: Proposing
    seed: int
    # Proposals made in this process: one may take a quick game to make.
    proposed: dict[Place, Mutation] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    kind: ClassVar[str] = "campaign"

    def play(self, setup: Setup, task: Task) -> GameRecord:
        assert isinstance(task.match, CandidateKey)
        match = versions.match_of(self, task.match)
        versioned = replace(setup, players=self.players(setup, task.match))
        return play_or_void(versioned, match, task.number, task.attempt)

    def players(self, setup: Setup, match: MatchKey) -> Mapping[str, Mcts]:
        assert isinstance(match, CandidateKey)
        return versions.players(setup, self, match)

    def described(self) -> dict[str, Any]:
        settings = asdict(self)
        # What is proposed follows from the rest.
        del settings["proposed"]
        # The seed, the board and the player are described already.
        del settings["seed"], settings["proposing"]["board"], settings["proposing"]["player"]
        return {"campaign": settings}

    def differences(self, file: Mapping[str, Any]) -> Iterator[str]:
        """Only iterations may be added."""
        # Ranks that play have nothing to compare.
        from mcts_cluster.settings.comparison import compare, continued

        described = json.loads(json.dumps(self.described()["campaign"]))
        rules = continued(Campaign, RaceSettings, Proposing)
        # Files of before there was a choice: their races had one winner.
        race = {"winners": "one", **file["campaign"]["race"]}
        yield from compare(("campaign",), file["campaign"] | {"race": race}, described, rules)

    def playing(self, file: Mapping[str, Any]) -> set[str]:
        return {file["campaign"]["player"]}

    @property
    def risk_budget(self) -> RiskBudget:
        return RiskBudget(self.race, self.total_risk)

    def spent(self, races: int) -> float:
        """Return the risk of error of the first races together."""
        return self.risk_budget.spent(sizes(self.candidates, races))

    def spent_in(self, iteration: int) -> float:
        """Return the risk of error of one race."""
        return self.risk_budget.spent_in(sizes(self.candidates, iteration))

    def mutation(self, place: Place) -> Mutation:
        """Return the mutation of a place; patterns without a name are named after the place."""
        if place not in self.proposed:
            iteration, candidate = place
            number = mutations_before(iteration, self.candidates) + candidate - 1
            found = self.proposing.propose(seed(self.seed, "campaign", *place), number)
            self.proposed[place] = tuple(
                Pattern(p.cells, p.strength, p.name or self.tag(place)) for p in found
            )
        return self.proposed[place]

    def racing(self, iteration: int) -> int:
        """Return how many candidates a race has."""
        return self.candidates[min(iteration, len(self.candidates)) - 1]

    def tag(self, place: Place) -> str:
        """Return the name of a mutation: "16", or "16.3" where the race has several."""
        return ".".join(map(str, place if self.racing(place[0]) > 1 else place[:1]))

    def version(self, places: Iterable[Place]) -> str:
        """Return the name of the baseline with some mutations: "mogo+16+22"."""
        return "+".join([self.player, *map(self.tag, places)])


def sizes(candidates: Sequence[int], races: int) -> list[int]:
    """Return how many candidates each of the first races has."""
    return [candidates[min(race, len(candidates) - 1)] for race in range(races)]


def mutations_before(iteration: int, candidates: tuple[int, ...]) -> int:
    """Return how many mutations the races before this one have together."""
    races = iteration - 1
    return sum(candidates[:races]) + candidates[-1] * max(0, races - len(candidates))
