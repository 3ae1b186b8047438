"""Positions as an experiment: how often a player finds a good move, by players and budgets.

A run is one move: one position, one player, one seed. Its row has one point if the move is good.
"""

from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from typing import Any, ClassVar

from mcts_cluster.matches.game_record import GameRecord
from mcts_cluster.matches.match import Playing, or_void
from mcts_cluster.matches.setup import Match, MatchKey, Setup, Task
from mcts_cluster.players.player import Player, Resigned
from mcts_cluster.positions.position import Position, PositionKey
from mcts_cluster.settings.declaration import FREE, GROWS, Setting

# Of the table [positions] of a job file.
SETTINGS = (
    Setting(key="file", kind=str, meaning="a file of positions with their good moves, below"),
    Setting(
        key="players",
        kind=str,
        listed="list",
        meaning="names of players, each of which chooses a move at each position",
    ),
    Setting(
        key="simulations",
        kind=int,
        default=(),
        listed="list",
        least=2,
        most=10**9,
        usual="those of the players",
        meaning="budgets: each player, a tree search, plays with each of them",
    ),
    Setting(
        key="runs",
        kind=int,
        default=100,
        least=1,
        most=10**6,
        continued=GROWS,
        meaning="how often each player chooses at each position, with other seeds",
    ),
)
PUBLISHED = (
    "a table for a position, with the published figure of a player there: "
    '`published.seki."plain(1000)" = "table3.must-play-1k.mogo"`'
)
# What may change, or grow, when a file is continued.
RULES = {"runs": GROWS, "proof": FREE}

GOOD, OTHER = "a good move", "another move"


@dataclass(frozen=True)
class Entrant:
    """A player at the positions, and the player of the job that it is with a budget."""

    player: str
    model: str


@dataclass(frozen=True)
class Positions:
    """Each player chooses a move at each position, so many times."""

    positions: tuple[Position, ...]
    entrants: tuple[Entrant, ...]
    runs: int
    published: Mapping[PositionKey, str] = field(default_factory=dict)
    kind: ClassVar[str] = "positions"

    @property
    def keys(self) -> Iterator[PositionKey]:
        for position in self.positions:
            for entrant in self.entrants:
                yield PositionKey(entrant.player, position.name)

    def play(self, setup: Setup, task: Task) -> GameRecord:
        return or_void(self.run(setup, task.match, task.number, task.attempt))

    def run(self, setup: Setup, key: MatchKey, number: int, attempt: int = 0) -> "PositionRun":
        position = next(one for one in self.positions if one.name == key.second)
        return PositionRun(setup, position, key, number, attempt)

    def players(self, setup: Setup, match: MatchKey) -> Mapping[str, Player]:
        return {match.first: setup.players[match.first]}

    def described(self) -> dict[str, Any]:
        described = {
            "runs": self.runs,
            "positions": {one.name: described_position(one) for one in self.positions},
            "players": {one.player: one.model for one in self.entrants},
        }
        return {"positions": described}

    def differences(self, file: Mapping[str, Any]) -> Iterator[str]:
        """Only positions, players and runs may be added."""
        # Ranks that play have nothing to compare.
        from mcts_cluster.settings.comparison import compare
        from mcts_cluster.settings.words import dotted

        before, now = file["positions"], self.described()["positions"]
        yield from compare(("positions", "runs"), before["runs"], now["runs"], rule=GROWS)
        for name, position in before["positions"].items():
            path = "positions", name
            if name in now["positions"]:
                yield from compare(path, position, now["positions"][name], RULES)
            else:
                yield f"{dotted(path)}: is in the file, and not in the job"
        for name in before["players"]:
            if name not in now["players"]:
                where = dotted(("positions", "players", name))
                yield f"{where}: is in the file, and not in the job"

    def playing(self, file: Mapping[str, Any]) -> set[str]:
        return set(file["positions"]["players"])


class PositionRun(Playing):
    """A move at a position while it is chosen."""

    def __init__(
        self, setup: Setup, position: Position, key: MatchKey, number: int, attempt: int = 0
    ) -> None:
        super().__init__(setup, Match(key, 0), number, attempt)
        self.position = position
        self.game = position.game(setup.settings)

    def play(self) -> GameRecord:
        player = self.setup.players[self.match.key.first]
        with closing(player.session(self.game, self.seed)) as session:
            try:
                move = self.choose(0, session)
            except Resigned:
                return self.row(0.0, "resigned")
            finally:
                # Of a void run, too.
                self.tally([session])
        good = move in map(self.game.core.number, self.position.good_moves)
        self.game.play_number(move)
        return self.row(float(good), GOOD if good else OTHER)


def described_position(position: Position) -> dict[str, Any]:
    described = {
        "diagram": position.diagram,
        "to_play": position.to_play,
        "good_moves": list(position.good_moves),
        "proof": position.proof,
    }
    return described if position.komi is None else {**described, "komi": position.komi}


def position_in(file: Mapping[str, Any], name: str) -> Position:
    """Return a position of a file that was described so."""
    fields = dict(file["positions"]["positions"][name])
    return Position(name, good_moves=tuple(fields.pop("good_moves")), **fields)
