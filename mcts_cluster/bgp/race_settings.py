"""How a race is run: its settings, and what is allowed."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from difflib import get_close_matches
from math import ceil
from typing import Any, NamedTuple

from mcts_cluster.bgp.stopping_rules import STOPPING_RULES, floats
from mcts_cluster.bgp.stopping_rules.candidate import Candidate
from mcts_cluster.bgp.stopping_rules.paper import DEVIATIONS
from mcts_cluster.errors import UserError


class Setting(NamedTuple):
    """What is allowed as a setting: a number between least and most, or one of the choices."""

    default: Any
    least: float = 0
    most: float = 0
    choices: tuple[str, ...] = ()


SETTINGS = {
    "judge": Setting("paper-2", choices=tuple(STOPPING_RULES)),
    "bound": Setting("hoeffding", choices=tuple(DEVIATIONS)),
    "lower": Setting(0.501, 0.001, 0.999),
    "upper": Setting(0.504, 0.001, 0.999),
    "risk": Setting(0.05, 1e-9, 0.5),
    "first": Setting(100, 2, 10**6),
    "growth": Setting(0.0, 1.05, 10),
    "most": Setting(0, 2, 10**9),
    "select": Setting("upper", choices=("upper", "order")),
    "shadows": Setting((), choices=tuple(STOPPING_RULES)),
}


@dataclass(frozen=True)
class RaceSettings:
    """How a race is run; docs/races.md has what each setting means."""

    judge: str = SETTINGS["judge"].default
    bound: str = SETTINGS["bound"].default
    lower: float = SETTINGS["lower"].default
    upper: float = SETTINGS["upper"].default
    risk: float = SETTINGS["risk"].default
    first: int = SETTINGS["first"].default
    growth: float = SETTINGS["growth"].default  # 0: as the judge has it
    most: int = SETTINGS["most"].default  # games of a candidate, 0 for no limit
    select: str = SETTINGS["select"].default
    shadows: tuple[str, ...] = SETTINGS["shadows"].default

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> "RaceSettings":
        """Return settings of which some are said; raises UserError with the first mistake."""
        for key in values:
            if key not in SETTINGS:
                close = get_close_matches(key, SETTINGS, 1)
                hint = (
                    f"did you mean {close[0]!r}?" if close else f"known are {', '.join(SETTINGS)}"
                )
                raise UserError(f"{key}: unknown key; {hint}")
        lists: dict[str, Any] = {k: tuple(v) for k, v in values.items() if isinstance(v, list)}
        settings = cls(**{**values, **lists})
        for key, text in settings.mistakes():
            raise UserError(f"{key}: {text}")
        return settings

    def mistakes(self) -> Iterator[tuple[str, str]]:
        """Yield what is wrong, as a key and a text."""
        for field in fields(self):
            setting, value = SETTINGS[field.name], getattr(self, field.name)
            if text := mistake(setting, value):
                yield field.name, text
                return
        if self.upper < self.lower:
            yield "upper", f"{self.upper}, at least lower, {self.lower}, is wanted"
        for name in (self.judge, *self.shadows):
            if STOPPING_RULES[name].apart and self.upper == self.lower:
                yield "upper", f"{self.upper}, more than lower is wanted by {name}"
        for name, count in Counter((self.judge, *self.shadows)).items():
            if count > 1:
                yield "shadows", f"{name!r}, each judge once is wanted, and none that judges"
        for key in ("first", "most"):
            if getattr(self, key) % 2:
                yield key, f"{getattr(self, key)}, an even number is wanted: games come in pairs"

    def seat(self, candidates: int, index: int = 1, on: Any = floats) -> Candidate:
        return Candidate(self.lower, self.upper, self.risk, self.bound, candidates, index, on)

    @property
    def divides_risk(self) -> bool:
        """Whether the risk is that of all races together, and not of each."""
        return STOPPING_RULES[self.judge].in_order

    def next_look(self, games: int, judge: str) -> int:
        """Return how many games a candidate has at the test after one at so many."""
        growth = (
            self.growth if self.growth and judge == self.judge else STOPPING_RULES[judge].growth
        )
        # No batch is smaller than the first: workers want something to do.
        more = max(games + self.first, 2 * ceil(games * growth / 2))
        return min(more, self.most) if self.most else more


def mistake(setting: Setting, value: object) -> str:
    """Return what is wrong with a value, or nothing."""
    if setting.choices:
        words = value if isinstance(setting.default, tuple) else (value,)
        if not isinstance(words, tuple):
            return f"{value!r}, a list is wanted"
        for word in words:
            if word not in setting.choices:
                return f"{word!r}, one of {', '.join(setting.choices)} is wanted"
        return ""
    kinds = (int,) if isinstance(setting.default, int) else (int, float)
    if isinstance(value, bool) or not isinstance(value, kinds):
        return f"{value!r}, a {'whole ' * (kinds == (int,))}number is wanted"
    if value == setting.default or setting.least <= value <= setting.most:
        return ""
    return f"{value}, {setting.least:g} to {setting.most:g} is allowed"
