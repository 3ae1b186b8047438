"""How a race is run: its settings, and what is allowed."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import ceil
from typing import Any

from mcts_cluster.bgp.stopping_rules import STOPPING_RULES, floats
from mcts_cluster.bgp.stopping_rules.candidate import Candidate
from mcts_cluster.bgp.stopping_rules.paper import DEVIATIONS
from mcts_cluster.settings.declaration import FREE, declared, setting
from mcts_cluster.settings.table import Mistakes, Table


@dataclass(frozen=True)
class RaceSettings:
    """How a race is run; docs/races.md has what each setting means."""

    stopping_rule: str = setting(
        "paper-2",
        choices=STOPPING_RULES,
        meaning="the rule that accepts or discards candidates, below",
    )
    bound: str = setting("hoeffding", choices=DEVIATIONS, meaning="of the papers' rules")
    lower: float = setting(0.501, least=0.001, most=0.999, meaning="accepted above it")
    upper: float = setting(0.504, least=0.001, most=0.999, meaning="discarded below it")
    risk: float = setting(
        0.05,
        least=1e-9,
        most=0.5,
        meaning="δ0: the probability of any wrong verdict in the race, at most",
    )
    first_batch: int = setting(
        100,
        least=2,
        most=10**6,
        step=2,
        meaning="games of the first batch, and at least of each later one",
    )
    batch_growth: float = setting(
        0.0,
        least=1.05,
        most=10,
        zero="2 in the papers' rules, 1.1 in the others",
        meaning="factor of the number of games from one look to the next",
    )
    max_games: int = setting(
        0,
        least=2,
        most=10**9,
        step=2,
        zero="never",
        meaning="games after which a candidate is exhausted",
    )
    selection: str = setting(
        "upper",
        choices=("upper", "order"),
        meaning="the largest upper bound, or one candidate after the other",
    )
    winners: str = setting(
        "one",
        choices=("one", "several"),
        meaning="a race ends with the first candidate that it accepts, or goes on with the others",
    )
    shadow_rules: tuple[str, ...] = setting(
        (),
        kind=str,
        listed="list",
        choices=STOPPING_RULES,
        continued=FREE,
        meaning="rules that see the same games, look as if they decided, and decide nothing",
    )

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> "RaceSettings":
        """Return settings of which some are given; raises UserError with all mistakes."""
        mistakes = Mistakes()
        table = Table(values, (), mistakes)
        settings = cls.read(table)
        table.finish()
        mistakes.refuse()
        return settings

    @classmethod
    def read(cls, table: Table) -> "RaceSettings":
        """Return the settings in a table, and report its mistakes there."""
        settings = cls(**table.read(declared(cls)))
        # With a default in place of a mistake they would follow from it.
        if not any(table.is_mistaken(one.key) for one in declared(cls)):
            for key, text in settings.contradictions():
                table.complain(text, key)
        return settings

    def contradictions(self) -> Iterator[tuple[str, str]]:
        """Yield what does not go together, as a key and a text."""
        if self.upper < self.lower:
            yield "upper", f"{self.upper} is too small, must be at least lower, {self.lower}"
        rules = self.stopping_rule, *self.shadow_rules
        for name in rules:
            if STOPPING_RULES[name].apart and self.upper == self.lower:
                yield "upper", f"{self.upper} is too small, must be more than lower for {name}"
        for name, count in Counter(rules).items():
            if count > 1:
                yield "shadow_rules", f'"{name}" is there already, each rule may watch once'

    def candidate(self, candidates: int, index: int = 1, on: Any = floats) -> Candidate:
        return Candidate(self.lower, self.upper, self.risk, self.bound, candidates, index, on)

    @property
    def divides_risk(self) -> bool:
        """Whether the risk is that of all races together, and not of each."""
        return STOPPING_RULES[self.stopping_rule].in_order

    def next_look(self, games: int, rule: str) -> int:
        """Return how many games a candidate has at the test after one at so many."""
        growth = (
            self.batch_growth
            if self.batch_growth and rule == self.stopping_rule
            else STOPPING_RULES[rule].growth
        )
        # No batch is smaller than the first one, so that workers are kept busy.
        more = max(games + self.first_batch, 2 * ceil(games * growth / 2))
        return min(more, self.max_games) if self.max_games else more
