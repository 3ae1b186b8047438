"""A tree search that follows a game: its choices, its estimates, its time."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from cext.search import Search
from mcts_cluster.games import Game
from mcts_cluster.players.player import MoveEstimate, Session, Watch
from mcts_cluster.seeds import seed

if TYPE_CHECKING:
    from mcts_cluster.players.mcts import Mcts

NO_LIMIT = 10**15


class MctsSession(Session):
    """A search that follows a game.

    Public attributes (treat as read-only): search, as of the last choose(), think() or
    estimates(); simulations, full_searches and replays, of all moves so far.
    """

    can_think = True

    def __init__(self, player: Mcts, game: Game, game_seed: int) -> None:
        self.player = player
        self.game = game
        self.seed = game_seed
        self.known: list[int] = []
        self.runs = 0
        self.replays_before = 0  # of searches that are gone
        self.search = self.new_search()
        self.known = game.numbers

    def close(self) -> None:
        del self.search

    def follow(self) -> Search:
        """Advance the search to the position of the game."""
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
        self.replays_before += self.search.policy.replays
        self.search = self.new_search()

    @property
    def replays(self) -> int:
        return self.replays_before + self.search.policy.replays

    def new_search(self) -> Search:
        return self.player.search(self.game.core, thinks=True)

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

        Meanwhile `watch` is called again and again, and may ask for the estimates so far.
        """
        limits = [limit for limit in (self.player.seconds, seconds) if limit]
        self.follow()
        if self.wins_by_passing():
            return self.game.core.points
        self.run(self.player.simulations, min(limits, default=0.0), watch)
        self.full_searches += self.search.tree.full
        return self.search.best_move()

    def expected_result(self, move: int) -> float | None:
        child = next(child for child in self.search.children() if child["move"] == move)
        return rate_of(child, int(child["visits"]), int(child["results"]))

    def wins_by_passing(self) -> bool:
        """Return whether, in a long game, a pass ends and wins it.

        To a search all moves of a won game are alike: against an opponent that only passed it
        went on for ever, with stones thrown in, taken, thrown in.
        """
        after = self.game.core.copy()
        if after.ply < after.points or not after.is_legal(after.points):
            return False
        after.play(after.points)
        return after.is_over and after.winner() == self.game.core.to_play

    def think(self, seconds: float) -> None:
        self.follow()
        self.run(0, seconds)

    def estimates(self) -> list[MoveEstimate]:
        """Return the estimate of every move that was visited, the most visited first."""
        search = self.follow()
        children = search.children()
        visited = [child for child in children if child["visits"]]
        visited.sort(key=lambda child: int(child["visits"]), reverse=True)
        return [estimate_of(search, child) for child in visited]

    def owners(self, count: int, seed: int) -> list[float]:
        """Return for each point the mean owner; each player begins half of the playouts."""
        core = self.game.core
        policy = self.player.policy_for(core)
        passed = core.copy()
        passed.play(core.points)
        halves = (policy.owners(begun, (count + 1) // 2, seed) for begun in (core, passed))
        return [(first + second) / 2 for first, second in zip(*halves, strict=True)]


def estimate_of(search: Search, child: Any, found: tuple[int, int] | None = None) -> MoveEstimate:
    """Return the estimate of a move by the tree, or by visits and results that are given."""
    visits, results = found or (int(child["visits"]), int(child["results"]))
    move, moves = int(child["move"]), list(principal_variation(search, child))
    prior_visits, prior = int(child["prior_visits"]), int(child["prior_results"])
    player = int(child["player"])
    rate, first = rate_of(child, visits, results), expected(player, prior_visits, prior)
    # Part of a visit counts as one.
    return MoveEstimate(move, -(-visits // search.unit), rate, first, moves or [move])


def rate_of(child: Any, visits: int, results: int) -> float:
    """Return the result expected of a move: what is proven, or else the mean result."""
    player = int(child["player"])
    return 1.0 if child["proven"] == player else expected(player, visits, results)


def expected(player: int, visits: int, results: int) -> float:
    """Return the mean result for a player, 0 to 1, of results for the first one."""
    rate = results / (2 * visits) if visits else 0.5
    return rate if player == 1 else 1 - rate


def principal_variation(search: Search, child: Any) -> Iterator[int]:
    """Yield the most visited moves from a node on."""
    nodes = search.tree.array()
    while child["visits"]:
        yield int(child["move"])
        first = int(child["first_child"])
        if not first or child["children"] < 1:
            return
        children = nodes[first : first + int(child["children"])]
        child = children[int(children["visits"].argmax())]
