"""The player with a tree: Monte-Carlo tree search with a budget, which keeps its tree.

Its settings are those of cext.simulation and of the game's policy. Their defaults are MoGo's, or
with `bandit = "uct"` those of Algorithm 1 of the scalability paper.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import cext.game
from cext import go_policy, havannah_policy
from cext.go import Go
from cext.go_policy import GoPolicy
from cext.havannah import Havannah
from cext.havannah_policy import HavannahPolicy
from cext.policy import Policy
from cext.search import Search
from mcts_cluster.errors import UserError
from mcts_cluster.games import Game
from mcts_cluster.players.mcts_session import MctsSession
from mcts_cluster.players.player import Player

if TYPE_CHECKING:
    from mcts_cluster.players.bias_patterns import Pattern

NODE_BYTES = 32


# By how much the defaults of a bandit differ from those of Mcts, which are MoGo's.
BANDITS: Mapping[str, Mapping[str, Any]] = {
    "mogo": {},
    "uct": {
        "exploration": 1.0,
        "rave": 0.0,
        "reuse_tree": False,
        "policy": "uniform",
    },
}


# What is better otherwise in one game, where the bandit is MoGo's.
TUNED: Mapping[type[cext.game.Game], Mapping[str, Any]] = {Havannah: {"solve": True}}


# Of the games that have a policy with priors and playouts of its own; others play uniformly.
INFORMED: Mapping[type[cext.game.Game], type[Policy]] = {Go: GoPolicy, Havannah: HavannahPolicy}


# The settings of these policies and their defaults.
POLICY_SETTINGS: Mapping[type[cext.game.Game], Mapping[str, int]] = {
    Go: go_policy.DEFAULTS,
    Havannah: havannah_policy.DEFAULTS,
}


# What is better otherwise on large boards of Go.
LARGE: Mapping[str, int] = {"playout_near": 100}


# Models of expert moves count only on boards larger than this: they are learnt on 19x19.
SMALL_BOARD = 13


@dataclass(frozen=True)
class Source:
    """Where a model of expert moves comes from: the package by a name alone, or a file's text."""

    name: str
    text: str = field(default="", repr=False)


PEOPLE = Source("people")
NONE = Source("")


def is_large(core: cext.game.Game) -> bool:
    """Return whether this is Go on a board for which models of expert moves are learnt."""
    return isinstance(core, Go) and core.size > SMALL_BOARD


def policy_defaults(core: cext.game.Game) -> dict[str, int]:
    """Return the defaults of the informed policy on a board."""
    return {**POLICY_SETTINGS.get(type(core), {}), **(LARGE if is_large(core) else {})}


@dataclass(frozen=True)
class Mcts(Player):
    """How to search, and for how long; a budget of 0 is none, and one of the two is needed."""

    simulations: int = 0
    seconds: float = 0.0
    threads: int = 1
    exploration: float = 0.0
    rave: float = 1000.0
    widening: float = 0.0
    first_play_urgency: float = 1.0
    bias: float = 1.0
    expand_at: int = 2
    virtual_loss: int = 1
    solve: bool = False
    priors: bool = True
    reuse_tree: bool = True
    stop_early: bool = False
    megabytes: int = 500  # of the tree; a full one goes on without growing
    policy: str = "informed"
    policy_settings: tuple[tuple[str, int], ...] = ()
    patterns: tuple[Pattern, ...] = ()  # of Go, for biases
    database: Source = PEOPLE  # of expert moves, for large boards of Go

    def budgets(self) -> Mapping[str, float]:
        return {"simulations": self.simulations, "seconds": self.seconds}

    def session(self, game: Game, game_seed: int) -> MctsSession:
        return MctsSession(self, game, game_seed)

    def search(self, core: cext.game.Game) -> Search:
        """Return an empty tree over a position; raises UserError."""
        try:
            return self.empty_search(core)
        except MemoryError:
            raise UserError(
                f"megabytes {self.megabytes}: this machine has no room for it"
            ) from None

    def empty_search(self, core: cext.game.Game) -> Search:
        return Search(
            core,
            self.policy_for(core),
            exploration=self.exploration,
            rave=self.rave,
            widening=self.widening,
            bias=self.bias,
            # Nothing is more urgent for the paper's bandit than an unvisited move.
            first_play_urgency=float("inf") if self.exploration else self.first_play_urgency,
            expand_at=self.expand_at,
            virtual_loss=self.virtual_loss,
            solve=self.solve,
            priors=self.priors,
            nodes=self.megabytes * 1_000_000 // NODE_BYTES,
        )

    def policy_for(self, core: cext.game.Game) -> Policy:
        kind = INFORMED.get(type(core), Policy) if self.policy == "informed" else Policy
        if kind is Policy:
            if self.policy_settings:
                name = self.policy_settings[0][0]
                raise UserError(f"{name}: no policy that knows it plays here")
            return Policy()
        settings: dict[str, Any] = {**policy_defaults(core), **dict(self.policy_settings)}
        if self.patterns:
            # Imported where there are some: every worker pays for every import.
            from mcts_cluster.players.bias_patterns import compiled

            settings["patterns"] = compiled(self.patterns)
        if self.database.name and is_large(core):
            from mcts_cluster.players import move_model

            settings["move_model"] = move_model.loaded(self.database)
        return kind(**settings)


def defaults(bandit: str, game: type[cext.game.Game] | None) -> Mcts:
    """Return the default player of a bandit in a game."""
    tuned = TUNED.get(game, {}) if game and bandit == "mogo" else {}
    return Mcts(**{**BANDITS[bandit], **tuned})
