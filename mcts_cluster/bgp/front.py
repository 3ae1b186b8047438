"""Where a campaign stands: the race under way, its baseline, and the next batch of games."""

from copy import deepcopy

from mcts_cluster.bgp import versions
from mcts_cluster.bgp.campaign import Campaign, mutations_before
from mcts_cluster.bgp.race import Batch, Look, Race
from mcts_cluster.bgp.versions import Place


class Front:
    """Where a campaign stands, or where it is expected to stand soon.

    Public attributes (treat as read-only): iteration, from 1; accepted, the mutations of the
    baseline; race; batch, None when the campaign is over; match, the key of its match.
    """

    def __init__(self, campaign: Campaign) -> None:
        self.campaign = campaign
        self.iteration = 1
        self.end = campaign.iterations + 1
        self.accepted: tuple[Place, ...] = ()
        self.begin()

    def begin(self) -> None:
        campaign, iteration = self.campaign, self.iteration
        earlier = mutations_before(iteration, campaign.candidates)
        budget = campaign.risk_budget
        risks = {rule: budget.risk_of(iteration - 1, rule) for rule in campaign.race.shadow_rules}
        settings = budget.of_race(iteration - 1)
        self.race = Race(settings, campaign.racing(iteration), earlier, risks)
        self.turn_to_batch()

    def turn_to_batch(self) -> None:
        is_over = self.iteration >= self.end
        self.batch: Batch | None = None if is_over else self.race.next_batch()
        if self.batch:
            place = (self.iteration, self.batch.candidate + 1)
            self.match = versions.key(self.campaign, (*self.accepted, place))

    def go_to(self, races: range) -> None:
        """Go on to some later races, as if those between accepted nothing, and end with them."""
        self.end = races.stop
        if self.iteration < races.start:
            self.iteration = races.start
            self.begin()
        elif self.iteration >= self.end:
            self.batch = None

    def add(self, scores: list[float]) -> list[Look]:
        """Count the scores of this batch, and go on to the next one."""
        assert self.batch
        looks = self.race.add(self.batch, scores)
        if verdict := self.race.verdict:
            self.accepted += tuple((self.iteration, k + 1) for k in verdict.accepted)
            self.iteration += 1
            self.begin()
        else:
            self.turn_to_batch()
        return looks

    def copy(self) -> "Front":
        other = Front.__new__(Front)
        other.__dict__.update(self.__dict__, race=deepcopy(self.race))
        return other
