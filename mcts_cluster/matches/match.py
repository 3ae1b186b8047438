"""One game between two players, who won it, and what is kept of it.

A finished game is scored by the area as it stands, and our own players pass with that in mind.
Other programs pass while dead stones are on the board: of 40 games of UCT against GNU Go the area
gave 6 to UCT that were lost. A session that has a final score decides who has won; of two sessions
the one that the match names first, and the row says whether the other names another winner.

A game in which a program dies, breaks the rules or takes too long is void: its row says why, and
it is played again.
"""

import time
from collections.abc import Sequence
from contextlib import ExitStack, closing
from operator import attrgetter

from cext.go import Go
from cext.havannah import Havannah
from mcts_cluster import games
from mcts_cluster.errors import one_line
from mcts_cluster.games import Game, IllegalMove
from mcts_cluster.matches.game_record import GameRecord, SearchRecord
from mcts_cluster.matches.setup import Match, Setup, Task
from mcts_cluster.parallel.exchange_stats import NONE
from mcts_cluster.players.player import EngineError, NoProgram, Resigned, Session, resigns
from mcts_cluster.seeds import seed

# Times the points of the board. Superko lets no game go on for ever, but a simple ko does.
MAX_PLIES_PER_POINT = 10

# Who has won, 1 or 2, or 0 for a draw, and what decided that.
Result = tuple[int, str]


def play_or_void(setup: Setup, match: Match, number: int, attempt: int = 0) -> GameRecord:
    """Play a game of a match, or return the row of a void one; raises NoProgram."""
    return or_void(Playing(setup, match, number, attempt))


def or_void(playing: "Playing") -> GameRecord:
    """Play a game, or return the row of a void one; raises NoProgram."""
    try:
        return playing.play()
    except NoProgram:
        raise
    except (EngineError, IllegalMove) as error:
        return playing.row(None, one_line(error))


def play(setup: Setup, match: Match, number: int) -> GameRecord:
    """Play game `number` of a match; raises EngineError and IllegalMove."""
    return Playing(setup, match, number).play()


class Playing:
    """A game of a match while it is played; the first player has the first move in even games.

    Every attempt at it has the same opening.
    """

    def __init__(self, setup: Setup, match: Match, number: int, attempt: int = 0) -> None:
        self.setup = setup
        self.match = match
        self.number = number
        self.attempt = attempt
        self.game = games.from_checked(setup.game, setup.settings)
        self.seed = Task(match.key, number, attempt).seed(setup.seed)
        pair_seed = seed(setup.seed, match.key.seed_path, "pair", number // 2)
        if match.opening:
            # A rank that needs no openings does not load them.
            from mcts_cluster.matches import openings

            openings.play(self.game, match.opening, pair_seed)
        self.began = time.time()
        self.seconds = [0.0, 0.0]
        self.simulations = [0, 0]
        self.full_searches = [0, 0]
        self.replays = [0, 0]
        self.exchanges = [NONE, NONE]
        self.searches: list[SearchRecord] = []

    def play(self) -> GameRecord:
        with ExitStack() as stack:
            sessions = [
                stack.enter_context(closing(self.session(name))) for name in self.match.players
            ]
            try:
                winner, how = (
                    self.play_out(sessions)
                    or score_by_players(self.match, sessions)
                    or score(self.game)
                )
            finally:
                # Of a void game, too.
                self.tally(sessions)
        points = 0.5 if winner == 0 else float((winner == 1) == (self.number % 2 == 0))
        return self.row(points, how)

    def session(self, name: str) -> Session:
        """Begin to play as a player; raises NoProgram with its key."""
        try:
            return self.setup.players[name].session(self.game, self.seed)
        except NoProgram as error:
            from mcts_cluster.settings.words import dotted

            raise NoProgram(f"{dotted(('player', name, 'command'))}: {error}") from None

    def play_out(self, sessions: Sequence[Session]) -> Result | None:
        """Play until the game is over, and then return nothing; or until one resigns."""
        core = self.game.core
        while not core.is_over:
            if core.ply >= MAX_PLIES_PER_POINT * core.points:
                return core.winner(), "cut off"
            turn = core.to_play - 1 if self.number % 2 == 0 else 2 - core.to_play
            try:
                self.game.play_number(self.choose(turn, sessions[turn]))
            except Resigned:
                return 3 - core.to_play, "resigned"
        return None

    def choose(self, turn: int, session: Session) -> int:
        began = time.perf_counter()
        try:
            move = session.choose()
            if resigns(session, move, self.match.resign_below):
                raise Resigned
            return move
        finally:
            self.seconds[turn] += time.perf_counter() - began

    def tally(self, sessions: Sequence[Session]) -> None:
        for turn, session in enumerate(sessions):
            self.simulations[turn] = session.simulations
            self.full_searches[turn] = session.full_searches
            self.replays[turn] = session.replays
            self.exchanges[turn] = session.exchanges or NONE
            self.searches += (SearchRecord(turn, *move) for move in session.exchanges_by_move)
        self.searches.sort(key=attrgetter("ply"))

    def row(self, points: float | None, how: str) -> GameRecord:
        return GameRecord(
            match=self.match.key,
            number=self.number,
            points=points,
            how=how,
            moves=tuple(self.game.numbers),
            attempt=self.attempt,
            seed=self.seed,
            simulations=(self.simulations[0], self.simulations[1]),
            full_searches=(self.full_searches[0], self.full_searches[1]),
            replays=(self.replays[0], self.replays[1]),
            exchanges=(self.exchanges[0], self.exchanges[1]),
            searches=tuple(self.searches),
            seconds=(self.seconds[0], self.seconds[1]),
            began=self.began,
            ended=time.time(),
        )


def score_by_players(match: Match, sessions: Sequence[Session]) -> Result | None:
    """Return the result of a finished game by the players, if one of them can score it."""
    said: list[Result] = []
    for name, session in zip(match.players, sessions, strict=True):
        if (lead := session.final_score()) is not None:
            said.append((1 if lead > 0 else 2 if lead < 0 else 0, f"{name}'s final_score"))
    if len(said) == 2 and said[0][0] != said[1][0]:
        return said[0][0], f"{said[0][1]}, not {said[1][1]}"
    return said[0] if said else None


def score(game: Game) -> Result:
    """Return who has won a finished game by the rules alone."""
    return game.core.winner(), "area" if isinstance(game.core, Go) else structures(game) or "rules"


def structures(game: Game) -> str:
    """Return by what a game of Havannah was won, "bridge+fork"; nothing of a draw."""
    return "+".join(game.core.how()) if isinstance(game.core, Havannah) else ""
