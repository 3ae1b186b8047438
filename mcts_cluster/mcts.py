"""The player with a tree: Monte-Carlo tree search with a budget, which keeps its tree.

Its settings are those of cext.simulation and of the game's policy. What is not said is as MoGo had
it, or with `bandit = "uct"` as Algorithm 1 of the scalability paper has it.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import cext.game
from cext import go_policy, havannah_policy
from cext.go import Go
from cext.go_policy import GoPolicy
from cext.havannah import Havannah
from cext.havannah_policy import HavannahPolicy
from cext.policy import Policy
from cext.search import Search
from mcts_cluster import database
from mcts_cluster.database import PEOPLE, SMALL_BOARD, Source
from mcts_cluster.errors import UserError
from mcts_cluster.games import Game
from mcts_cluster.patterns import Pattern, compiled
from mcts_cluster.player import Watch
from mcts_cluster.seeds import seed

NODE_BYTES = 32
NO_LIMIT = 10**15

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
# Of the games that have a policy with opinions; others play uniformly.
INFORMED: Mapping[type[cext.game.Game], type[Policy]] = {Go: GoPolicy, Havannah: HavannahPolicy}
# What these policies can be told, and what they do if they are not.
POLICY_SETTINGS: Mapping[type[cext.game.Game], Mapping[str, int]] = {
    Go: go_policy.DEFAULTS,
    Havannah: havannah_policy.DEFAULTS,
}
# What is better otherwise on large boards of Go.
LARGE: Mapping[str, int] = {"playout_near": 100}


def is_large(core: cext.game.Game) -> bool:
    """Tell whether this is Go on a board for which databases of what people play are learnt."""
    return isinstance(core, Go) and core.size > SMALL_BOARD


def policy_defaults(core: cext.game.Game) -> dict[str, int]:
    """Return what the informed policy does on a board if it is not told."""
    return {**POLICY_SETTINGS.get(type(core), {}), **(LARGE if is_large(core) else {})}


@dataclass(frozen=True)
class Mcts:
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
    database: Source = PEOPLE  # of what people play, for large boards of Go

    def seat(self, game: Game, game_seed: int) -> "MctsSeat":
        return MctsSeat(self, game, game_seed)

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
            # Nothing is more urgent for the paper's bandit than a move that nobody knows.
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
            settings["patterns"] = compiled(self.patterns)
        if self.database.name and is_large(core):
            settings["move_model"] = database.loaded(self.database)
        return kind(**settings)


def defaults(bandit: str, game: type[cext.game.Game] | None) -> Mcts:
    """Return the player that a bandit is in a game where nothing else is said."""
    tuned = TUNED.get(game, {}) if game and bandit == "mogo" else {}
    return Mcts(**{**BANDITS[bandit], **tuned})


@dataclass(frozen=True)
class Line:
    """What a search thinks of a move, and how it expects the game to go on."""

    move: int
    visits: int
    rate: float  # the result expected for the player to move, 0 to 1
    prior: float
    moves: list[int]  # beginning with the move


class MctsSeat:
    """A search that follows a game.

    Public attributes (treat as read-only): search, as of the last choose(), think() or lines();
    simulations, of all moves so far.
    """

    def __init__(self, player: Mcts, game: Game, game_seed: int) -> None:
        self.player = player
        self.game = game
        self.seed = game_seed
        self.known: list[int] = []
        self.runs = 0
        self.simulations = 0
        self.search = player.search(game.core)
        self.known = game.numbers

    def close(self) -> None:
        del self.search

    def follow(self) -> Search:
        """Bring the search to where the game is."""
        moves = self.game.numbers
        if moves == self.known:
            return self.search
        self.runs = 0
        new = moves[len(self.known) :]
        if self.player.reuse_tree and moves[: len(self.known)] == self.known:
            for move in new:
                self.advance(move)
        else:
            self.renew()
        self.known = moves
        return self.search

    def advance(self, move: int) -> None:
        self.search.advance(move)

    def renew(self) -> None:
        self.search = self.player.search(self.game.core)

    def next_seed(self) -> int:
        """Return the seed of the next run; that of a position's first depends on nothing else."""
        path = (self.game.core.ply, self.runs) if self.runs else (self.game.core.ply,)
        self.runs += 1
        return seed(self.seed, *path)

    def run(self, simulations: int, seconds: float, watch: Watch = None) -> None:
        self.simulations += self.follow().run(
            simulations or NO_LIMIT,
            self.next_seed(),
            seconds=seconds,
            threads=self.player.threads,
            stop_early=self.player.stop_early,
            watch=watch,
        )

    def choose(self, seconds: float | None = None, watch: Watch = None) -> int:
        """Return the most visited move, after the player's budget or `seconds` if that is less.

        Meanwhile `watch` is called again and again, and lines() tells what is thought so far.
        """
        limits = [limit for limit in (self.player.seconds, seconds) if limit]
        self.follow()
        if self.wins_by_passing():
            return self.game.core.points
        self.run(self.player.simulations, min(limits, default=0.0), watch)
        return self.search.best_move()

    def expects(self, move: int) -> float:
        """Return the result that it expects of a move it chose, 0 to 1."""
        child = next(child for child in self.search.children() if child["move"] == move)
        return rate_of(child, int(child["visits"]), int(child["results"]))

    def wins_by_passing(self) -> bool:
        """Tell whether, in a long game, a pass ends it and wins it.

        To a search all moves of a won game are alike, and against an opponent who only passed it
        went on for ever: stones thrown in, taken, thrown in.
        """
        after = self.game.core.copy()
        if after.ply < after.points or not after.is_legal(after.points):
            return False
        after.play(after.points)
        return after.is_over and after.winner() == self.game.core.to_play

    def think(self, seconds: float) -> None:
        """Search for so long, without a decision."""
        self.follow()
        self.run(0, seconds)

    def lines(self) -> list[Line]:
        """Return what is thought of every move that was looked at, the most visited first."""
        search = self.follow()
        children = search.children()
        visited = [child for child in children if child["visits"]]
        visited.sort(key=lambda child: int(child["visits"]), reverse=True)
        return [line_of(search, child) for child in visited]

    def owners(self, count: int, judge_seed: int) -> list[float]:
        """Return whose each point is when playouts end: from 1, the first player's, to -1.

        Each player begins in half of them.
        """
        core = self.game.core
        policy = self.player.policy_for(core)
        passed = core.copy()
        passed.play(core.points)
        halves = (policy.owners(begun, (count + 1) // 2, judge_seed) for begun in (core, passed))
        return [(first + second) / 2 for first, second in zip(*halves, strict=True)]


def line_of(search: Search, child: Any, found: tuple[int, int] | None = None) -> Line:
    """Tell of a move by the tree, or by the visits and results that others found too."""
    visits, results = found or (int(child["visits"]), int(child["results"]))
    move, moves = int(child["move"]), list(follow_visits(search, child))
    prior_visits, prior = int(child["prior_visits"]), int(child["prior_results"])
    player = int(child["player"])
    rate, first = rate_of(child, visits, results), expected(player, prior_visits, prior)
    return Line(move, visits, rate, first, moves or [move])


def rate_of(child: Any, visits: int, results: int) -> float:
    """Return what to expect of a move: what was found, or what is proven whatever was found."""
    player = int(child["player"])
    return 1.0 if child["proven"] == player else expected(player, visits, results)


def expected(player: int, visits: int, results: int) -> float:
    """Return the mean result for a player, 0 to 1, of results for the first one."""
    rate = results / (2 * visits) if visits else 0.5
    return rate if player == 1 else 1 - rate


def follow_visits(search: Search, child: Any) -> Iterator[int]:
    """Yield the moves that were visited most, from a node on."""
    nodes = search.tree.array()
    while child["visits"]:
        yield int(child["move"])
        first = int(child["first_child"])
        if not first or child["children"] < 1:
            return
        children = nodes[first : first + int(child["children"])]
        child = children[int(children["visits"].argmax())]
