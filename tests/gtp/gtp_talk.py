"""Talking to GTP engines, with a player that can do all that they ask for."""

from cext.search import Search
from mcts_cluster.gtp.protocol import serve
from mcts_cluster.players.player import MoveEstimate, Player, Session
from mcts_cluster.seeds import seed


class Typed:
    """Lines as somebody types them; an analysis may look for the next one some times in vain."""

    def __init__(self, lines, looks=0):
        self.lines = lines
        self.looks = looks

    def __iter__(self):
        return iter(self.lines)

    def are_waiting(self):
        self.looks -= 1
        return self.looks < 0


def talk(engine, *lines, looks=0):
    """Return everything that an engine says to these lines."""
    said = []
    serve(engine, Typed(lines, looks), said.append)
    return "".join(said)


def ask(engine, line):
    """Return the answer to a line, which must be a success, without its mark."""
    said = talk(engine, line)
    assert said.startswith("= "), (line, said)
    return said.removeprefix("= ").strip("\n")


class Thinking(Player):
    """A player on top of plain UCT, which remembers what it was asked."""

    def __init__(self, settings):
        self.budget = settings["simulations"]
        self.asked = []  # the seconds for each move
        self.thought = []  # the seconds of each call to think
        self.sessions = []

    def session(self, game, game_seed):
        self.sessions.append(ThinkingSession(self, game, game_seed))
        return self.sessions[-1]


class ThinkingSession(Session):
    can_think = True

    def __init__(self, player, game, game_seed):
        self.player, self.game, self.seed = player, game, game_seed
        self.moves = None
        self.is_closed = False

    def look(self):
        assert not self.is_closed
        if self.moves != self.game.numbers:
            self.moves = self.game.numbers
            self.search = Search(self.game.core, nodes=100_000)
            self.runs = 0
        return self.search

    def add(self, simulations):
        self.look().run(simulations, seed(self.seed, self.game.core.ply, self.runs))
        self.runs += 1

    def choose(self, seconds=None, watch=None):
        self.player.asked.append(seconds)
        self.add(self.player.budget)
        return self.search.best_move()

    def think(self, seconds):
        self.player.thought.append(seconds)
        self.add(50)

    def estimates(self):
        lines = []
        for child in self.look().children():
            visits = int(child["visits"])
            if not visits:
                continue
            rate = int(child["results"]) / 2 / visits
            move = int(child["move"])
            lines.append(
                MoveEstimate(
                    move=move,
                    visits=visits,
                    rate=rate if self.game.core.to_play == 1 else 1 - rate,
                    prior=0.25,
                    moves=[move],
                )
            )
        return sorted(lines, key=lambda line: (-line.visits, line.move))

    def expected_result(self, move):
        return next(one.rate for one in self.estimates() if one.move == move)

    def close(self):
        assert not self.is_closed
        self.is_closed = True
