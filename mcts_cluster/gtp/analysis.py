"""The commands that show a search while it runs: lz-analyze and lz-genmove_analyze."""

from collections.abc import Iterator, Sequence

from mcts_cluster.gtp.arguments import Failure, number, shown, whole
from mcts_cluster.gtp.clock import MIN_SECONDS
from mcts_cluster.gtp.common import CommonEngine
from mcts_cluster.gtp.engine import Step, command
from mcts_cluster.players.player import MoveEstimate

# Seconds of search between two looks at the input.
SLICE = 0.05


class AnalysisEngine(CommonEngine):
    """An engine that also reports the estimates of its player's moves."""

    @command("lz-analyze", needs_search=True)
    def analyze(self, words: list[str]) -> Iterator[str]:
        player, interval = self.analysis(words)
        step = self.give_turn(player)
        return self.analyzed(step, interval)

    def analyzed(self, step: Step, interval: float) -> Iterator[str]:
        session = self.session
        try:
            ended = False
            while not ended:
                until = self.now() + interval
                session.think(min(SLICE, interval))
                while (
                    not (ended := self.interrupted()) and (rest := until - self.now()) > MIN_SECONDS
                ):
                    session.think(min(SLICE, rest))
                if info := self.info(session.estimates()):
                    yield info
        finally:
            self.take_back(step)

    @command("lz-genmove_analyze", needs_search=True)
    def genmove_analyze(self, words: list[str]) -> Iterator[str]:
        """Generate a move, and report the estimates of it and of the others meanwhile.

        The move is that of genmove: the search goes on after each report.
        """
        player, interval = self.analysis(words)
        self.take_back(self.give_turn(player))
        return self.generated(player, interval)

    def generated(self, player: int, interval: float) -> Iterator[str]:
        due = self.now() + interval

        def watch() -> None:
            nonlocal due
            if self.now() >= due:
                due = self.now() + interval
                report()

        def report() -> None:
            # Asked for each time: the turn may have begun another game.
            if info := self.info(self.session.estimates()):
                self.report(info)

        def choose(player: int) -> int | None:
            move = self.choose(player, watch=watch)
            report()
            return move

        yield f"play {self.generate(player, choose)}"

    def analysis(self, words: list[str]) -> tuple[int, float]:
        """Read the arguments of an analysis: [COLOR] [[interval] CENTISECONDS] [minmoves N]."""
        player, rest = self.color_and(words)
        centiseconds = 50.0
        rest = ["interval", *rest] if len(rest) % 2 else rest
        for key, value in zip(rest[::2], rest[1::2], strict=True):
            if key == "interval":
                centiseconds = number(value, "interval")
            elif key == "minmoves":
                whole(value, "minmoves")  # all moves that were visited are reported anyway
            else:
                raise Failure(f"syntax error: {shown(key)} must be interval or minmoves")
        return player, min(max(centiseconds, 1.0), 360_000.0) / 100

    def info(self, estimates: Sequence[MoveEstimate]) -> str:
        """Return the estimates of all moves, in a line as Leela Zero writes it."""
        return " ".join(
            f"info move {self.vertex(one.move)} visits {one.visits} "
            f"winrate {round(10000 * one.rate)} prior {round(10000 * one.prior)} "
            f"order {order} pv {' '.join(self.variation(one))}"
            for order, one in enumerate(one for one in estimates if one.visits)
        )
