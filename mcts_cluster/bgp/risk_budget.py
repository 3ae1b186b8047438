"""The risk of error that a campaign has spent: the sum of the risks of its races.

A race accepts what is not better than its lower threshold, or discards all that is better than its
upper one, with no more than its risk; some race of several does with no more than the sum, however
they depend on each other. A race that was stopped by hand counts too, as it has looked.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from mcts_cluster.bgp.race_settings import RaceSettings
from mcts_cluster.bgp.stopping_rules import STOPPING_RULES
from mcts_cluster.bgp.stopping_rules.paper import part


@dataclass(frozen=True)
class RiskBudget:
    """The risk of each race in turn.

    With a total, race k of a campaign, from 1, gets 6/π²k² of it, so that any number of races stays
    within it; without, each has the risk of its settings. Variant 3 itself divides its risk among
    the candidates of the whole campaign, so its total is its risk.
    """

    settings: RaceSettings
    total: float = 0.0

    def of_race(self, race: int) -> RaceSettings:
        """Return the settings of the race with this number, from 0."""
        return replace(self.settings, risk=self.risk_of(race, self.settings.stopping_rule))

    def risk_of(self, race: int, rule: str) -> float:
        """Return the risk of a rule in a race, deciding or shadow."""
        if not self.total:
            return self.settings.risk
        return self.total if STOPPING_RULES[rule].in_order else part(self.total, race + 1)

    def spent(self, races: Sequence[int]) -> float:
        """Return what some races of so many candidates each have spent together, 1 at most."""
        if self.settings.divides_risk:
            return self.of_candidates(0, sum(races))
        rule = self.settings.stopping_rule
        return min(1.0, sum(self.risk_of(race, rule) for race in range(len(races))))

    def spent_in(self, races: Sequence[int]) -> float:
        """Return what the last of some races has spent by itself."""
        if self.settings.divides_risk:
            return self.of_candidates(sum(races[:-1]), sum(races))
        return self.risk_of(len(races) - 1, self.settings.stopping_rule)

    def of_candidates(self, first: int, end: int) -> float:
        """Return the risk spent on candidates that divide it, counted from 0."""
        risk = self.risk_of(0, self.settings.stopping_rule)
        return sum(part(risk, candidate + 1) for candidate in range(first, end))
