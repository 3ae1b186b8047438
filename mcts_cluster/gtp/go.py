"""GTP for Go: komi, handicap, records, scoring, and cleaning up.

GTP is freer than a game: a player may move twice in a row, and may go on after two passes. A move
out of turn is played after a pass of the other side. Where that would end the game, or two passes
have ended it, or the player is to find the move, another game begins from the stones on the board;
it does not remember the positions before, so superko does not either.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from cext.go import Go
from mcts_cluster import games, text_files
from mcts_cluster.errors import UserError
from mcts_cluster.games import Game, sgf
from mcts_cluster.games.dead_stones import (
    Status,
    attacks,
    neighbours,
    owners_by_playouts,
    stones_of,
)
from mcts_cluster.gtp.analysis import AnalysisEngine
from mcts_cluster.gtp.arguments import Failure, file_and_number, number, whole
from mcts_cluster.gtp.clock import Limits
from mcts_cluster.gtp.engine import Step, command
from mcts_cluster.gtp.semeai import race_answer

# Playouts that decide the owner of each point.
OWNER_PLAYOUTS = 400


@dataclass(frozen=True)
class BoardSetup:
    """The stones on the board before the first move, and the first player."""

    black: tuple[str, ...]
    white: tuple[str, ...] = ()
    to_play: str = "white"


class GoEngine(AnalysisEngine):
    game_name = "go"

    state = (*AnalysisEngine.state, "earlier")

    def set_out(self) -> None:
        """Begin from the stones of the set-up, or from the board of the settings."""
        self.earlier: list[Game] = []  # ended by two passes, each the beginning of the next one
        if self.setup:
            self.begin(self.from_setup(self.setup))
        else:
            super().set_out()

    def from_setup(self, setup: BoardSetup) -> Game:
        settings = {key: value for key, value in self.settings.items() if key != "handicap"}
        return games.set_up(setup.black, setup.white, setup.to_play, **settings)

    @property
    def core(self) -> Go:
        return games.go_of(self.game)

    # Turns.

    def give_turn(self, player: int, to_think: bool = True) -> Step:
        core = self.core
        if not core.is_over and core.to_play == player:
            return Step()
        # In a search, a pass that was not played would be an offer to end the game by another.
        if core.passes == 0 and not to_think:
            self.game.pass_()
            return Step(plies=1)
        self.earlier.append(self.game)
        self.move_to(self.resumed(player))
        return Step(new_game=True)

    def take_back(self, step: Step) -> None:
        if step.new_game:
            self.move_to(self.earlier.pop())
        else:
            super().take_back(step)

    def move_to(self, game: Game) -> None:
        self.leave()
        self.game = game

    def resumed(self, player: int) -> Game:
        """Return a game that begins with the stones on the board."""
        core = self.core
        black, white = (tuple(map(core.name, stones)) for stones in stones_of(core))
        return self.from_setup(BoardSetup(black, white, core.players[player - 1]))

    # Rules and time.

    @command("komi")
    def komi(self, words: list[str]) -> str:
        komi = number(self.expect(words, "KOMI")[0], "komi")
        moves = [step.move for step in self.steps]
        self.begin_again(moves, settings=self.settings | {"komi": komi})
        return ""

    @command("get_komi")
    def get_komi(self, words: list[str]) -> str:
        self.expect(words, "")
        return f"{self.core.komi:g}"

    @command("kgs-time_settings")
    def kgs_time_settings(self, words: list[str]) -> str:
        kind, *rest = words or [""]
        counts = {"none": 0, "absolute": 1, "byoyomi": 3, "canadian": 3}
        if len(rest) != counts.get(kind.lower()):
            raise Failure(
                "syntax error: must be none, absolute MAIN, byoyomi MAIN PERIOD PERIODS "
                "or canadian MAIN PERIOD STONES"
            )
        values = [max(0.0, number(word, "time")) for word in rest]
        limits = None
        if values:
            main, period, count = (*values, 0.0, 1.0)[:3]
            moves, periods = (1, count) if kind.lower() == "byoyomi" else (count, 0)
            limits = Limits(main, period, max(1, int(moves)), int(periods))
        self.clock.set(limits)
        return ""

    # The game so far.

    @command("gg-undo")
    def gg_undo(self, words: list[str]) -> str:
        self.undo_steps(whole(self.expect(words, "[COUNT]")[0], "count") if words else 1)
        return ""

    @command("gogui-play_sequence")
    def play_sequence(self, words: list[str]) -> str:
        """Play moves, such as b D4 w C3; all of them or none."""
        if len(words) % 2:
            raise Failure("syntax error: must be COLOR VERTEX COLOR VERTEX ...")
        played = 0
        try:
            for color, vertex in zip(words[::2], words[1::2], strict=True):
                self.play([color, vertex])
                played += 1
        except UserError:
            self.undo_steps(played)
            raise
        return ""

    @command("loadsgf")
    def load_sgf(self, words: list[str]) -> str:
        """Load a record up to its end, or up to the position before a move."""
        path, before = file_and_number(words)
        try:
            record = sgf.read(text_files.read_bytes(path))
            moves = record.moves[: None if before is None else max(0, before - 1)]
            settings = self.settings | {"size": record.size}
            if record.komi is not None:
                settings["komi"] = record.komi
            names = games.new("go", size=record.size).core

            def name(point: sgf.Point) -> str:
                return names.name(on(point, record.size))

            stones = tuple(map(name, record.black)), tuple(map(name, record.white))
            self.number += 1
            self.begin_again(
                [
                    (names.players.index(c) + 1, on(point, record.size) if point else names.points)
                    for c, point in moves
                ],
                settings=settings,
                setup=BoardSetup(*stones, record.to_play),
            )
        except OSError as error:
            raise Failure(f"cannot load file: {error.strerror}") from None
        except UserError as error:
            raise Failure(f"cannot load file: {error}") from None
        return ""

    @command("analyze_semeai")
    def analyze_semeai(self, words: list[str]) -> str:
        """Who wins the race between two chains, by a stone of each; the first one's side moves."""
        own, enemy = map(self.vertex_number, self.expect(words, "OWN ENEMY"))
        return race_answer(self.core, own, enemy)

    # Handicap.

    @command("fixed_handicap")
    def fixed_handicap(self, words: list[str]) -> str:
        stones = whole(self.expect(words, "STONES")[0], "stones")
        self.expect_an_empty_board()
        try:
            core = Go(self.game.size, handicap=stones)
        except (ValueError, OverflowError):
            raise Failure("invalid number of stones") from None
        if not stones:
            raise Failure("invalid number of stones")
        return self.place(core.name(move) for move in stones_of(core)[0])

    @command("place_free_handicap")
    def place_free_handicap(self, words: list[str]) -> str:
        """Place stones on the fixed points as far as there are some, then apart from each other."""
        stones = whole(self.expect(words, "STONES")[0], "stones")
        self.expect_an_empty_board()
        core = self.core
        if not 2 <= stones < core.points:
            raise Failure("invalid number of stones")
        return self.place(core.name(move) for move in free_handicap(core.size, stones))

    @command("set_free_handicap")
    def set_free_handicap(self, words: list[str]) -> str:
        self.expect_an_empty_board()
        core = self.core
        try:
            moves = [core.number(word[:20]) for word in words]
        except ValueError:
            raise Failure("bad vertex list") from None
        distinct = len(set(moves)) == len(moves) and core.points not in moves
        if not (distinct and 2 <= len(moves) < core.points):
            raise Failure("bad vertex list")
        self.place(map(core.name, moves))
        return ""

    def expect_an_empty_board(self) -> None:
        if any(stones_of(self.core)):
            raise Failure("board not empty")

    def place(self, stones: Iterable[str]) -> str:
        setup = BoardSetup(tuple(stones))
        self.begin_again((), setup=setup)
        return " ".join(setup.black)

    # The end of the game.

    def status(self) -> Status:
        """Return which stones are dead by playouts, as if no player had passed."""
        game = self.resumed(self.core.to_play)
        owner_seed = self.seed("judge", len(self.steps))
        session = self.player.session(game, owner_seed)
        try:
            owners = session.owners(OWNER_PLAYOUTS, owner_seed)
            if owners is None:
                owners = owners_by_playouts(self.core, OWNER_PLAYOUTS, owner_seed)
        finally:
            session.close()
        return Status(self.core, owners)

    @command("final_score")
    def final_score(self, words: list[str]) -> str:
        self.expect(words, "")
        lead = self.status().lead(self.game.is_over)
        return f"{'B' if lead > 0 else 'W'}+{abs(lead):g}" if lead else "0"

    @command("final_status_list")
    def final_status_list(self, words: list[str]) -> str:
        fate = self.expect(words, "STATUS")[0]
        if fate not in ("dead", "alive", "seki"):
            raise Failure("syntax error: must be dead, alive or seki")
        chains: list[list[int]] = getattr(self.status(), fate)
        return "\n".join(" ".join(map(self.vertex, chain)) for chain in chains)

    @command("kgs-genmove_cleanup")
    def genmove_cleanup(self, words: list[str]) -> str:
        """Generate a move, but no pass as long as dead stones of the enemy can be captured."""
        return self.generate(self.color(self.expect(words, "COLOR")[0]), self.choose_to_clean)

    def choose_to_clean(self, player: int) -> int | None:
        move = self.choose(player)
        core = self.core
        if move is not None and move != core.points:
            return move
        dead = [chain for chain in self.status().dead if core.color(chain[0]) != player]
        return next(iter(attacks(core, dead)), core.points)

    # Commands for GoGui.

    @command("gogui-analyze_commands")
    def analyze_commands(self, words: list[str]) -> str:
        self.expect(words, "")
        shows = ["dboard/Owners/mcts_cluster-owners"]
        if self.knows("mcts_cluster-candidates"):
            shows.append("gfx/Candidates/mcts_cluster-candidates")
            shows.append("hstring/Search/mcts_cluster-search")
        return "\n".join(shows)

    @command("mcts_cluster-owners")
    def show_owners(self, words: list[str]) -> str:
        """The likely owner of each point: a number for each, the northern row first."""
        self.expect(words, "")
        owners, size = self.status().owners, self.game.size
        rows = [owners[first : first + size] for first in range(0, len(owners), size)]
        return "\n" + "\n".join(" ".join(f"{owner:.2f}" for owner in row) for row in rows[::-1])

    @command("mcts_cluster-candidates", needs_search=True)
    def show_candidates(self, words: list[str]) -> str:
        """The best variation as stones, rates in percent on the candidates, visits in color."""
        self.expect(words, "")
        points = self.core.points
        found = [one for one in self.session.estimates() if one.visits and one.move < points]
        if not found:
            return "TEXT no search of this position yet"
        most = max(one.visits for one in found)
        colors = ("b", "w") if self.core.to_play == 1 else ("w", "b")
        moves = [
            m for i, name in enumerate(self.variation(found[0])) for m in (colors[i % 2], name)
        ]
        labels = [f"{self.vertex(one.move)} {100 * one.rate:.0f}" for one in found[:20]]
        weights = [f"{self.vertex(one.move)} {one.visits / most:.2f}" for one in found]
        return (
            f"VAR {' '.join(moves)}\nLABEL {' '.join(labels)}\nINFLUENCE {' '.join(weights)}\n"
            f"TEXT {self.explained(found[0])}"
        )

    @command("mcts_cluster-search", needs_search=True)
    def show_search(self, words: list[str]) -> str:
        """The candidates in a table."""
        self.expect(words, "")
        return "\n" + "\n".join(
            f"{self.vertex(one.move)}: {self.explained(one)}"
            for one in self.session.estimates()
            if one.visits
        )


def on(point: sgf.Point, size: int) -> int:
    return point[0] * size + point[1]


def free_handicap(size: int, stones: int) -> list[int]:
    """Return the points of a free handicap, at most so many."""
    for fixed in range(min(stones, 9), 1, -1):
        try:
            chosen = stones_of(Go(size, handicap=fixed))[0]
            break
        except ValueError:
            continue
    else:
        chosen = []
    middle = (size - 1) / 2

    def from_middle(move: int) -> float:
        return abs(move // size - middle) + abs(move % size - middle)

    for move in sorted(range(size * size), key=lambda move: (from_middle(move), move)):
        if len(chosen) < stones and not {move, *neighbours(size, move)} & set(chosen):
            chosen.append(move)
    return chosen
