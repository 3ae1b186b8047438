"""GTP for Havannah, as Castro and HavannahGui speak it.

White begins. Cells are named with HavannahGui's coordinates, which are ours too, or after
`gridcoords` with Little Golem's. The swap rule is a setting, and "swap" is a move.
"""

from cext.havannah import Havannah
from mcts_cluster import games, text_files
from mcts_cluster.errors import UserError
from mcts_cluster.games import hgf
from mcts_cluster.gtp.analysis import AnalysisEngine
from mcts_cluster.gtp.arguments import Failure, file_and_number, number, settings_of, whole
from mcts_cluster.gtp.clock import Limits
from mcts_cluster.gtp.engine import command
from mcts_cluster.players.player import MoveEstimate

# Castro's options of `time`, long and short, by their meaning here. Others only set how Castro
# shares its time out.
TIMES = {"-m": "move", "-g": "game", "-r": "remain", "-i": "maxsims"}
IGNORED = {"-f": "flexible", "-p": "percent", "-e": "even", "-s": "stats"}
FLAGS = {f"--{name}": flag for flag, name in (TIMES | IGNORED).items()}


class HavannahEngine(AnalysisEngine):
    game_name = "havannah"
    little_golem = False

    @property
    def core(self) -> Havannah:
        return games.havannah_of(self.game)

    # Names.

    def vertex_number(self, word: str) -> int:
        return self.checked(word, lambda: self.core.number(word, self.little_golem))

    def vertex(self, move: int) -> str:
        return self.names([move])[0]

    def variation(self, estimate: MoveEstimate) -> list[str]:
        return self.names(estimate.moves)

    def names(self, moves: list[int]) -> list[str]:
        """Return the names of moves that follow on the game."""
        return self.names_of_all([*self.game.numbers, *moves])[self.core.ply :]

    def names_of_all(self, moves: list[int]) -> list[str]:
        """Return the names of moves from the first one; the second one may be a swap."""
        names = [self.core.name(move, self.little_golem) for move in moves]
        if self.core.swap and moves[1:2] == moves[:1]:
            names[1:2] = ["swap"] * len(names[1:2])
        return names

    @command("hguicoords")
    def hguicoords(self, words: list[str]) -> str:
        self.expect(words, "")
        self.little_golem = False
        return ""

    @command("gridcoords")
    def gridcoords(self, words: list[str]) -> str:
        self.expect(words, "")
        self.little_golem = True
        return ""

    # Rules and time.

    @command("swap")
    def swap(self, words: list[str]) -> str:
        """Turn the swap rule on or off, or return whether it is on."""
        if words:
            (word,) = self.expect(words, "0|1")
            on = {"0": False, "1": True}.get(word)
            if on is None:
                raise Failure("syntax error: must be 0 or 1")
            moves = [step.move for step in self.steps]
            self.begin_again(moves, settings=self.settings | {"swap": on})
        return f"Swap {'on' if self.core.swap else 'off'}"

    @command("time")
    def time(self, words: list[str]) -> str:
        """Castro's own: -m seconds a move, -g seconds a game, -r seconds left, -i simulations."""
        values = dict.fromkeys(TIMES.values(), 0.0)
        given = set()
        for flag, word in zip(words[::2], words[1::2], strict=False):
            short = FLAGS.get(flag, flag)
            if short in TIMES:
                given.add(TIMES[short])
                values[TIMES[short]] = max(0.0, number(word, flag))
            elif short not in IGNORED:
                raise Failure("syntax error: must be -m, -g, -r, -i or -f with a number")
        if len(words) % 2:
            raise Failure("syntax error: an option without its number")
        if values["maxsims"] >= 1:
            self.set_player({"simulations": int(values["maxsims"])})
        if given & {"move", "game"}:
            main, period = values["game"], values["move"]
            self.clock.set(Limits(main, period) if main or period else None)
        if values["remain"]:
            self.clock.set_left(self.game.core.to_play, values["remain"], 0)
        return ""

    @command("player_params")
    def player_params(self, words: list[str]) -> str:
        """Change settings of the player, as KEY=VALUE, or show them."""
        if words:
            self.set_player(settings_of(words))
            return ""
        return "\n" + "\n".join(f"{key}={value}" for key, value in self.player_settings.items())

    def set_player(self, changes: dict[str, object]) -> None:
        settings = self.player_settings | changes
        self.player = self.make_player(settings)
        self.player_settings = settings
        self.leave()

    # Moves.

    @command("genmove")
    def genmove(self, words: list[str]) -> str:
        """Generate a move: [COLOR] [SECONDS]."""
        player, rest = self.color_and(words)
        seconds = max(0.0, number(rest[0], "time")) if self.expect(rest, "[SECONDS]") else None
        return self.generate(player, lambda player: self.choose(player, seconds))

    @command("white")
    def white(self, words: list[str]) -> str:
        return self.play(["white", *self.expect(words, "CELL")])

    @command("black")
    def black(self, words: list[str]) -> str:
        return self.play(["black", *self.expect(words, "CELL")])

    @command("playgame")
    def play_game(self, words: list[str]) -> str:
        """Play moves of both sides in turn, as far as they are legal."""
        for word in words:
            self.play([self.game.to_play, word])
        return ""

    @command("undo")
    def undo(self, words: list[str]) -> str:
        self.undo_steps(whole(self.expect(words, "[COUNT]")[0], "count") if words else 1)
        return ""

    @command("loadsgf")
    def load_hgf(self, words: list[str]) -> str:
        """Load a record up to its end, or up to the position before a move."""
        path, before = file_and_number(words)
        try:
            record = hgf.read(text_files.read_bytes(path))
            settings = self.settings | {"size": record.size, "swap": record.swap}
            moves = record.moves[: None if before is None else max(0, before - 1)]
            game = games.from_hgf(record, len(moves))
        except OSError as error:
            raise Failure(f"cannot load file: {error.strerror}") from None
        except UserError as error:
            raise Failure(f"cannot load file: {error}") from None
        self.number += 1
        players = [(ply % 2 + 1, move) for ply, move in enumerate(game.numbers)]
        self.begin_again(players, settings=settings)
        return ""

    # Information about the game.

    @command("havannah_winner")
    @command("winner")
    def winner(self, words: list[str]) -> str:
        self.expect(words, "")
        return (self.game.winner() or "draw") if self.game.is_over else "none"

    @command("final_score")
    def final_score(self, words: list[str]) -> str:
        self.expect(words, "")
        if not self.game.is_over:
            raise Failure("cannot score")
        winner = self.game.winner()
        return f"{winner[0].upper()}+" if winner else "0"

    @command("all_legal")
    def all_legal(self, words: list[str]) -> str:
        self.expect(words, "")
        return " ".join(map(self.vertex, self.game.core.legal_moves()))

    @command("history")
    def history(self, words: list[str]) -> str:
        self.expect(words, "")
        return " ".join(self.names_of_all(self.game.numbers))

    @command("move_stats", needs_search=True)
    def move_stats(self, words: list[str]) -> str:
        """For each candidate its name, rate and visits, and three zeros where Castro has more."""
        self.expect(words, "")
        return "\n".join(
            f"{self.vertex(one.move)},{one.rate:.4f},{one.visits},0,0,0"
            for one in self.session.estimates()
        )

    @command("pv", needs_search=True)
    def principal_variation(self, words: list[str]) -> str:
        self.expect(words, "")
        found = [one for one in self.session.estimates() if one.visits]
        return " ".join(self.variation(found[0])) if found else ""
