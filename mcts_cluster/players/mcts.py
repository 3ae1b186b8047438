"""The player with a tree: Monte-Carlo tree search with a budget, which keeps its tree.

Its settings are those of cext.simulation and of the game's policy. Their defaults are MoGo's, or
with `bandit = "uct"` those of Algorithm 1 of the scalability paper.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from math import ceil, inf
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
from mcts_cluster.settings.declaration import Setting, setting

if TYPE_CHECKING:
    from mcts_cluster.players.bias_patterns import Pattern

NODE_BYTES = 32
# Room that a budget is given where `megabytes` is not set: for so many times its simulations, as
# a tree that is reused has some already, each of which can add the moves of one position.
ROOM = 3
# Nodes that a simulation makes, in points of the board: docs/performance.md has them measured.
NODES_A_SIMULATION = 0.7
# No search makes more nodes in a second of a thread.
NODES_PER_SECOND = 15_000_000
MAX_MEGABYTES = 4000
# For who may think longer than its budget: an analysis over GTP goes on until it is stopped.
THINKING_MEGABYTES = 500


BANDIT = Setting(
    key="bandit",
    kind=str,
    default="mogo",
    choices=("mogo", "uct"),
    meaning="what the other defaults are",
)


# The defaults of a bandit that differ from those of Mcts, which are MoGo's.
BANDITS: Mapping[str, Mapping[str, Any]] = {
    "mogo": {},
    "uct": {
        "exploration": 1.0,
        "rave": 0.0,
        "explore_every": 0,
        "reuse_tree": False,
        "policy": "uniform",
    },
}


# Other defaults of MoGo's bandit in one game.
TUNED: Mapping[type[cext.game.Game], Mapping[str, Any]] = {Havannah: {"solve": True}}


# The informed policies, with priors and playouts of a game; other games are played uniformly.
INFORMED: Mapping[type[cext.game.Game], type[Policy]] = {Go: GoPolicy, Havannah: HavannahPolicy}


# The settings of these policies and their defaults.
POLICY_SETTINGS: Mapping[type[cext.game.Game], Mapping[str, int]] = {
    Go: go_policy.DEFAULTS,
    Havannah: havannah_policy.DEFAULTS,
}


# Other defaults on large boards of Go.
LARGE: Mapping[str, int] = {"playout_near": 100}


# The settings of the playouts that are no chances.
NUMBERS: Mapping[str, str] = {
    "playout_replay": "how often a playout is replayed that contradicts the solver of races",
    "playout_semeai": "stones of each chain of a capturing race, at least",
}


# Settings that older results do not have, and what these players did: of the search, of policies.
BEFORE: Mapping[str, Any] = {"explore_every": 0}
POLICY_BEFORE: Mapping[type[cext.game.Game], Mapping[str, int]] = {
    Go: dict.fromkeys(("playout_nakade", "playout_seki", "playout_settle", "playout_replay"), 0)
    | dict.fromkeys(("prior_nakade", "prior_heuristic", "prior_semeai", "prior_settled"), 0)
    | {"playout_semeai": 3}
}


# Models of expert moves count only on boards larger than this: they are learnt on 19x19.
SMALL_BOARD = 13


@dataclass(frozen=True)
class MoveModelSource:
    """Where a model of expert moves comes from: the package by a name alone, or a file's text."""

    name: str
    text: str = field(default="", repr=False)


EXPERTS = MoveModelSource("experts")
NONE = MoveModelSource("")


# The imports below are inside functions, because every worker pays for every import.


def source_of(name: str) -> MoveModelSource:
    """Return the source of a model by its name or path; raises UserError."""
    if name in (EXPERTS.name, NONE.name):
        return MoveModelSource(name)
    from mcts_cluster.players.move_model import source

    return source(name)


def patterns_of(path: str) -> tuple[Pattern, ...]:
    """Return the patterns of a file, none without a file; raises UserError."""
    if not path:
        return ()
    from mcts_cluster.players.bias_patterns import read

    return tuple(read(path))


def policy_settings(game: type[cext.game.Game]) -> tuple[Setting, ...]:
    """Return the settings of the policy of a game; docs/search.md has what each one means."""
    return tuple(
        Setting(key=name, kind=int, default=default, least=0, most=1000, meaning=meaning_of(name))
        for name, default in POLICY_SETTINGS.get(game, {}).items()
    )


def meaning_of(name: str) -> str:
    kind = "a chance in percent" if name.startswith("playout") else "visits of a prior"
    return "of the informed policy: " + NUMBERS.get(name, kind)


def is_large(core: cext.game.Game) -> bool:
    """Return whether this is Go on a board for which models of expert moves are learnt."""
    return isinstance(core, Go) and core.size > SMALL_BOARD


def policy_defaults(core: cext.game.Game) -> dict[str, int]:
    """Return the defaults of the informed policy on a board."""
    return {**POLICY_SETTINGS.get(type(core), {}), **(LARGE if is_large(core) else {})}


def completed(kept: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings of a tree search as results keep them, with those of older ones."""
    policy: dict[str, int] = kept.get("policy_settings", {})
    for game, before in POLICY_BEFORE.items():
        # Games share some names.
        others = {
            name for kind in POLICY_SETTINGS if kind is not game for name in POLICY_SETTINGS[kind]
        }
        if policy.keys() & POLICY_SETTINGS[game].keys() - others:
            policy = {**before, **policy}
    return {**BEFORE, **kept, "policy_settings": policy}


@dataclass(frozen=True, kw_only=True)
class SearchSettings:
    """The settings of cext.search.Search, by their names there."""

    exploration: float = setting(0.0, least=0, most=1e9, meaning="c below")
    rave: float = setting(1000.0, least=0, most=1e9, meaning="k below, 0 for no RAVE")
    widening: float = setting(
        0.0, least=0, most=1e9, meaning="K below, 0 to look at all moves at once"
    )
    first_play_urgency: float = setting(
        1.0,
        least=0,
        most=1e9,
        meaning="the score of a move without visits; where `exploration` is above 0, such moves "
        "always come first",
    )
    bias: float = setting(1.0, least=0, most=1e9, meaning="d below")
    expand_at: int = setting(
        2, least=1, most=10**6, meaning="the visit at which a node gets children"
    )
    virtual_loss: int = setting(
        1,
        least=0,
        most=1000,
        meaning="how often a simulation under way counts as lost, for other threads",
    )
    solve: bool = setting(False, meaning="prove moves to win or to lose")
    explore_every: int = setting(
        8,
        least=0,
        most=10**6,
        meaning="of so many simulations one explores a move with few visits, below; 0 for none",
    )
    priors: bool = setting(
        True,
        meaning="count priors as visits; else they only order the moves, for `widening`",
    )


@dataclass(frozen=True)
class Mcts(SearchSettings, Player):
    """The settings of a search and its budget; 0 is no budget, and at least one must be set."""

    simulations: int = setting(
        0,
        # The first simulation only visits the root, and chooses nothing.
        least=2,
        most=10**9,
        meaning="a move; with `seconds` too, the budget that is spent first ends the search",
    )
    seconds: float = setting(0.0, least=0.001, most=1e6, meaning="a move")
    threads: int = setting(
        1,
        least=1,
        most=1024,
        meaning="threads that share one tree; with more than one a game cannot be repeated",
    )
    reuse_tree: bool = setting(
        True, meaning="keep the part of the tree below a move that was played"
    )
    stop_early: bool = setting(
        False,
        meaning="stop once no other move can be chosen; with `solve`, once one is proven to win",
    )
    megabytes: int = setting(
        0,
        least=1,
        most=60_000,
        usual="by the budget",
        meaning="memory of the tree; a full tree is searched without growing",
    )
    policy: str = setting(
        "informed",
        choices=("informed", "uniform"),
        meaning="playouts and priors: those of the game, or none and uniform playouts",
    )
    policy_settings: tuple[tuple[str, int], ...] = ()
    # Files are read with the job, so that every process plays with the same.
    patterns: tuple[Pattern, ...] = setting(
        "",
        kind=str,
        load=patterns_of,
        meaning="a file of patterns of Go for the biases ([patterns.md](patterns.md))",
    )
    move_model: MoveModelSource = setting(
        "experts",
        kind=str,
        load=source_of,
        meaning='the expert move model, for Go boards of more than 13 rows: "experts", or a '
        'file of `mcts-cluster patterns learn`; "" for none',
    )

    def budgets(self) -> Mapping[str, float]:
        return {"simulations": self.simulations, "seconds": self.seconds}

    def session(self, game: Game, game_seed: int) -> MctsSession:
        return MctsSession(self, game, game_seed)

    def search(
        self, core: cext.game.Game, *, unit: int = 1, machines: int = 1, thinks: bool = False
    ) -> Search:
        """Return an empty tree over a position; raises UserError.

        It has room for the budget of so many machines, and for more where it may think longer.
        """
        nodes = self.room(core, machines)
        if thinks and not self.megabytes:
            nodes = max(nodes, THINKING_MEGABYTES * 1_000_000 // NODE_BYTES)
        try:
            return self.empty_search(core, unit, nodes)
        except MemoryError:
            megabytes = -(-nodes * NODE_BYTES // 1_000_000)
            whose = "" if self.megabytes else ", by the budget,"
            raise UserError(
                f"megabytes: {megabytes}{whose} is too large, this machine has less memory"
            ) from None

    def room(self, core: cext.game.Game, machines: int = 1) -> int:
        """Return how many nodes the tree has room for.

        By the budget that is more than it needs: memory that no node touches is not taken.
        """
        if self.megabytes:
            return self.megabytes * 1_000_000 // NODE_BYTES
        by_simulations = ROOM * machines * self.simulations * (core.points + 1)
        by_time = ROOM * machines * self.threads * ceil(self.seconds * NODES_PER_SECOND)
        most = MAX_MEGABYTES * 1_000_000 // NODE_BYTES
        return min(by_simulations or most, by_time or most, most)

    def as_kept(self, settings: Mapping[str, Any]) -> Mcts:
        kept = completed(settings)
        found = {
            field.name: kept.get(field.name, getattr(self, field.name))
            for field in fields(SearchSettings)
        }
        known = {name for policy in POLICY_SETTINGS.values() for name in policy}
        policy = kept["policy_settings"].items()
        return replace(
            self,
            **found,
            reuse_tree=kept.get("reuse_tree", self.reuse_tree),
            policy_settings=tuple(item for item in policy if item[0] in known),
        )

    def fits(self, game: Game) -> int:
        return round(self.room(game.core) / (NODES_A_SIMULATION * game.core.points))

    def empty_search(self, core: cext.game.Game, unit: int, nodes: int) -> Search:
        settings = {field.name: getattr(self, field.name) for field in fields(SearchSettings)}
        if self.exploration:
            # The paper's bandit tries every move once before any other.
            settings["first_play_urgency"] = inf
        return Search(core, self.policy_for(core), unit=unit, nodes=nodes, **settings)

    def policy_for(self, core: cext.game.Game) -> Policy:
        kind = INFORMED.get(type(core), Policy) if self.policy == "informed" else Policy
        if kind is Policy:
            if self.policy_settings:
                name = self.policy_settings[0][0]
                raise UserError(f"{name}: the policy of this game has no such setting")
            return Policy()
        settings: dict[str, Any] = {**policy_defaults(core), **dict(self.policy_settings)}
        if self.patterns:
            # Imported here, because every worker pays for every import.
            from mcts_cluster.players.bias_patterns import compiled

            settings["patterns"] = compiled(self.patterns)
        if self.move_model.name and is_large(core):
            from mcts_cluster.players import move_model

            settings["move_model"] = move_model.loaded(self.move_model)
        if kind is GoPolicy:
            settings["threads"] = self.threads
        return kind(**settings)


def defaults(bandit: str, game: type[cext.game.Game] | None) -> Mcts:
    """Return the default player of a bandit in a game."""
    tuned = TUNED.get(game, {}) if game and bandit == "mogo" else {}
    return Mcts(**{**BANDITS[bandit], **tuned})
