"""The commands that show a search while it runs: lz-analyze, kata-analyze, and with a move."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from mcts_cluster.gtp.arguments import Failure, number, shown, whole
from mcts_cluster.gtp.clock import MIN_SECONDS
from mcts_cluster.gtp.common import CommonEngine
from mcts_cluster.gtp.engine import Step, command
from mcts_cluster.players.player import MoveEstimate

# Playouts by which the owners of points are told.
OWNER_PLAYOUTS = 400
OWNERSHIP = ("ownership", "true")
# What KataGo's clients ask for, each with true or false.
KATA_SWITCHES = (
    *("ownership", "ownershipStddev", "movesOwnership", "movesOwnershipStddev"),
    *("pvVisits", "pvEdgeVisits", "rootInfo", "noResultValue"),
)
# Seconds of search between two looks at the input.
SLICE = 0.05


@dataclass(frozen=True)
class Analysis:
    """What is asked of an analysis."""

    player: int
    interval: float = 0.5  # seconds between two lines
    most: int | None = None  # moves in a line
    owners: bool = False
    is_kata: bool = False  # as KataGo writes rates; else as Leela Zero does, of 10,000

    def rate(self, value: float) -> str:
        return f"{value:.6f}" if self.is_kata else str(round(10000 * value))


class AnalysisEngine(CommonEngine):
    """An engine that also reports the estimates of its player's moves."""

    @command("lz-analyze", needs_search=True)
    def analyze(self, words: list[str]) -> Iterator[str]:
        asked = self.analysis(words)
        return self.analyzed(self.give_turn(asked.player), asked)

    @command("kata-analyze", needs_search=True)
    def kata_analyze(self, words: list[str]) -> Iterator[str]:
        asked = self.kata_analysis(words)
        return self.analyzed(self.give_turn(asked.player), asked)

    def analyzed(self, step: Step, asked: Analysis) -> Iterator[str]:
        session, interval = self.session, asked.interval
        try:
            ended = False
            while not ended:
                until = self.now() + interval
                session.think(min(SLICE, interval))
                while (
                    not (ended := self.interrupted()) and (rest := until - self.now()) > MIN_SECONDS
                ):
                    session.think(min(SLICE, rest))
                if info := self.info(session.estimates(), asked):
                    yield info
        finally:
            self.take_back(step)

    @command("lz-genmove_analyze", needs_search=True)
    def genmove_analyze(self, words: list[str]) -> Iterator[str]:
        """Generate a move, and report the estimates of it and of the others meanwhile.

        The move is that of genmove: the search goes on after each report.
        """
        asked = self.analysis(words)
        self.take_back(self.give_turn(asked.player))
        return self.generated(asked)

    @command("kata-genmove_analyze", needs_search=True)
    def kata_genmove_analyze(self, words: list[str]) -> Iterator[str]:
        asked = self.kata_analysis(words)
        self.take_back(self.give_turn(asked.player))
        return self.generated(asked)

    def generated(self, asked: Analysis) -> Iterator[str]:
        interval = asked.interval
        due = self.now() + interval

        def watch() -> None:
            nonlocal due
            if self.now() >= due:
                due = self.now() + interval
                report()

        def report() -> None:
            # Asked for each time: the turn may have begun another game.
            if info := self.info(self.session.estimates(), asked):
                self.report(info)

        def choose(player: int) -> int | None:
            move = self.choose(player, watch=watch)
            report()
            return move

        yield f"play {self.generate(asked.player, choose)}"

    def analysis(self, words: list[str], switches: Collection[str] = ()) -> Analysis:
        """Read the arguments of an analysis: [COLOR] [[interval] CENTISECONDS] [KEY VALUE ...]."""
        player, rest = self.color_and(words)
        asked = Analysis(player)
        rest = ["interval", *rest] if len(rest) % 2 else rest
        for key, value in zip(rest[::2], rest[1::2], strict=True):
            if key == "interval":
                interval = min(max(number(value, key), 1.0), 360_000.0) / 100
                asked = replace(asked, interval=interval)
            elif key == "minmoves":
                whole(value, key)  # all moves that were visited are reported anyway
            elif key == "maxmoves":
                asked = replace(asked, most=max(1, whole(value, key)))
            elif key in switches and value in ("true", "false"):
                # Of what these switch on there is the ownership, and no more.
                asked = replace(asked, owners=asked.owners or (key, value) == OWNERSHIP)
            else:
                known = ", ".join(("interval N", "minmoves N", "maxmoves N", *switches))
                raise Failure(f"syntax error: {shown(key)} {shown(value)}: known are {known}")
        return asked

    def kata_analysis(self, words: list[str]) -> Analysis:
        return replace(self.analysis(words, KATA_SWITCHES), is_kata=True)

    def info(self, estimates: Sequence[MoveEstimate], asked: Analysis) -> str:
        """Return the estimates of all moves in a line, and at its end the owners of points."""
        visited = [one for one in estimates if one.visits][: asked.most]
        line = " ".join(
            f"info move {self.vertex(one.move)} visits {one.visits} "
            f"winrate {asked.rate(one.rate)} prior {asked.rate(one.prior)} "
            f"order {order} pv {' '.join(self.variation(one))}"
            for order, one in enumerate(visited)
        )
        return f"{line}{self.ownership(asked)}" if line and asked.owners else line

    def ownership(self, asked: Analysis) -> str:
        """Return the mean owner of each point from the top left, 1 that of the asked player."""
        core = self.game.core
        owners = self.session.owners(OWNER_PLAYOUTS, self.seed("owners", core.ply))
        if owners is None or core.size**2 != len(owners):
            return ""
        own = 1 if asked.player == 1 else -1
        rows = [owners[row * core.size : (row + 1) * core.size] for row in range(core.size)]
        return " ownership " + " ".join(f"{own * x:.3f}" for row in reversed(rows) for x in row)
