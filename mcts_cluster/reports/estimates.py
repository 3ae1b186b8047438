"""How long a job will take, by pilot games of each of its matches and by moves of its players.

Pilot games have smaller budgets, with single machines in place of teams. As long as there is time
the budgets grow, up to those of the match. They tell how long games are, with resignation, and give
positions. In some of these each player then chooses a move, with its whole budget if there is time,
else with a part of it. A budget in seconds is not searched: it is known what it costs.

Seconds are those of processors: all machines and threads of a player together, and of another
program those of the clock.
"""

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from math import sqrt
from statistics import mean
from time import process_time
from typing import TypeVar

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
from rich.text import Text

from mcts_cluster import games
from mcts_cluster.errors import harmless
from mcts_cluster.games import Game
from mcts_cluster.matches.game_record import GameRecord
from mcts_cluster.matches.match import play
from mcts_cluster.matches.setup import Match, Setup
from mcts_cluster.players.mcts import NODE_BYTES, NODES_A_SIMULATION
from mcts_cluster.players.player import CLOCK, Player
from mcts_cluster.reports.formats import FittingTable, duration, fitting, plain
from mcts_cluster.settings.words import counted
from mcts_cluster.terminal import log_console, undisturbed

SECONDS_BETWEEN_LINES = 60.0
# Less than that, four seconds, is of no interest.
MIN_CORE_HOURS = 0.001

Thing = TypeVar("Thing")

# Seconds for the pilot games of a job, and at most as many for the moves; a match has a share.
ALL_SECONDS = 12.0
MIN_SECONDS, MAX_SECONDS = 0.5, 3.0
# Simulations a move in the first pilot games. With fewer, players that resign do so early.
MIN_PILOT = 64
# The same of a player that has a smaller budget, and of a move that is chosen.
MIN_BUDGET = 16
GROWTH = 4
# Games with the same budgets: before these grow, and at most.
PILOTS = 4
MAX_PILOTS = 40
# Simulations by which the speed of a player with seconds is measured.
MIN_SPEED = 500
# The largest tree of a game in simulations of a move, with what it keeps of the move before: 1.0 to
# 1.7 times as many as a move has were measured, the more the larger the budget.
KEPT = 2
# Memory of a process without trees; one that played on 19x19 had 65 MB.
PROCESS_BYTES = 100e6
# Positions of a game in which each player chooses a move.
PLACES = 4


@dataclass(frozen=True)
class MatchEstimate:
    """The estimate for a match."""

    match: Match
    plies: int
    seconds: float  # of processors, for a game

    @property
    def total(self) -> float:
        return self.seconds * self.match.games


@dataclass(frozen=True)
class Expected:
    """The seconds of processors for all games of a job, and for the longest one."""

    seconds: float
    a_game: float


def expected(estimates: Iterable[MatchEstimate]) -> Expected:
    estimates = list(estimates)
    seconds = sum(one.total for one in estimates)
    return Expected(seconds, max((one.seconds for one in estimates), default=0.0))


def seconds_of(matches: int) -> float:
    """Return the seconds that pilot games of a match may take, of a job with so many."""
    return min(MAX_SECONDS, max(MIN_SECONDS, ALL_SECONDS / max(1, matches)))


def estimate(job: Setup, match: Match, seconds: float = MAX_SECONDS) -> MatchEstimate:
    """Play pilot games for about so long, and choose moves as long again; raises EngineError."""
    pilots, is_whole = pilot_games(job, match, seconds)
    plies = mean(row.plies for row, _ in pilots)
    if is_whole:
        return MatchEstimate(match, round(plies), mean(spent for _, spent in pilots))
    limit = seconds / (2 * PLACES)
    # The last game is as good as any.
    places = list(positions(job, match, pilots[-1][0]))
    moves = mean(max(1, row.plies - match.opening) for row, _ in pilots) / 2
    a_move = 0.0
    for side, name in enumerate(match.players):
        player = job.players[name]
        if player.budgets():
            a_move += mean(move_seconds(player, game, limit) for game in places)
        else:
            a_move += mean(row.seconds[side] for row, _ in pilots) / moves
    return MatchEstimate(match, round(plies), moves * a_move)


# Pilot games


def pilot_games(
    job: Setup, match: Match, seconds: float
) -> tuple[list[tuple[GameRecord, float]], bool]:
    """Play games with budgets that grow while there is time.

    Return those with the largest budgets and the seconds of each, and whether they are played as
    the match has it.
    """
    left, budget, first = seconds, MIN_PILOT, 0
    while True:
        smaller = with_stand_ins(job, match, budget)
        is_whole = all(smaller.players[name] == job.players[name] for name in match.players)
        found: list[tuple[GameRecord, float]] = []
        a_game = 0.0
        while not found or (len(found) < MAX_PILOTS and a_game < left):
            if not is_whole and len(found) == PILOTS and PILOTS * GROWTH * a_game < left:
                break
            found.append(timed(smaller, match, first + len(found)))
            left -= found[-1][1]
            a_game = mean(spent for _, spent in found)
        else:
            return found, is_whole
        budget, first = GROWTH * budget, first + PILOTS


def with_stand_ins(job: Setup, match: Match, budget: int) -> Setup:
    """Return the setup with a budget for the player that has the larger one.

    The other's is nearer to it than in the match: at small budgets as many times the simulations
    are worth more, and a team is worth less than its simulations.
    """
    works = {name: work(job.players[name]) for name in match.players}
    most = max(works.values())
    players = {
        name: job.players[name].stand_in(
            max(MIN_BUDGET, round(budget * sqrt(own / most))) if own else budget
        )
        for name, own in works.items()
    }
    return replace(job, players=players)


def work(player: Player) -> int:
    """Return the simulations or playouts of a move, of all machines; 0 with a clock alone."""
    budgets = player.budgets()
    most = max((of for name, of in budgets.items() if name != CLOCK), default=0)
    return int(most) * max(1, player.machines)


def timed(job: Setup, match: Match, number: int) -> tuple[GameRecord, float]:
    """Play a game, and return the seconds that it took."""
    began = process_time()
    row = play(job, match, number)
    spent = process_time() - began
    others = [s for s, name in enumerate(match.players) if not job.players[name].budgets()]
    return row, spent + sum(row.seconds[side] for side in others)


def positions(job: Setup, match: Match, row: GameRecord) -> Iterator[Game]:
    """Yield positions of a game, evenly spread over those in which a move was chosen."""
    for place in range(PLACES):
        game = games.from_checked(job.game, job.settings)
        chosen = max(0, row.plies - match.opening)
        for move in row.moves[
            : min(row.plies, match.opening) + (2 * place + 1) * chosen // (2 * PLACES)
        ]:
            game.play_number(move)
        yield game


# Moves


def move_seconds(player: Player, game: Game, limit: float) -> float:
    """Return how long a player takes for a move, from a search of about so many seconds."""
    by_clock = player.seconds * max(1, player.machines) * player.threads
    if not work(player):
        return by_clock
    by_work = searched(player, game, limit)
    return min(by_work, by_clock) if by_clock else by_work


def searched(player: Player, game: Game, limit: float) -> float:
    """Choose moves with budgets that grow while there is time; return the seconds of a move."""
    budget = MIN_BUDGET
    while True:
        smaller, scale = player.quicker(budget)
        with closing(smaller.session(game, budget)) as session:
            began = process_time()
            session.choose()
            spent = process_time() - began
        if scale == 1 or GROWTH * spent > limit:
            return spent * scale
        budget *= GROWTH


# Memory


def planned(player: Player, game: Game) -> int:
    """Return how many simulations a machine will make for a move, at most."""
    if not player.seconds:
        return player.simulations
    with closing(player.stand_in(MIN_SPEED).session(game, 1)) as session:
        began = process_time()
        session.choose()
        speed = session.simulations / max(process_time() - began, 1e-6)
    by_time = round(speed * player.seconds * player.threads)
    return min(player.simulations or by_time, by_time)


def memory_notes(job: Setup, names: Iterable[str]) -> Iterator[str]:
    """Yield a line for all trees, and a warning for each that will be full before the end."""
    game = games.from_checked(job.game, job.settings)
    room = {name: found for name in names if (found := job.players[name].fits(game))}
    wanted = {name: planned(job.players[name], game) for name in room}
    if room:
        name = min(room, key=lambda one: room[one] / max(1, wanted[one]))
        yield f"room in the trees of {name} for {room[name]:,} simulations a move"
    for name, found in room.items():
        if wanted[name] > found:
            yield (
                f"{name}: its trees will be full after {found:,} of {wanted[name]:,} simulations a "
                "move, which looks like a limit of scalability; megabytes must be larger"
            )


def rank_bytes(job: Setup, pairs: Iterable[Sequence[str]], together: int = 1) -> float:
    """Return about how much memory a rank needs, where so many play a game together.

    Pairs are the players of a game, who have their trees at the same time.
    """
    game = games.from_checked(job.game, job.settings)
    trees = {name: tree_bytes(player, game, together) for name, player in job.players.items()}
    of_games = (sum(trees[name] for name in names) for names in pairs)
    return PROCESS_BYTES + max(of_games, default=0.0)


def tree_bytes(player: Player, game: Game, together: int) -> float:
    """Return the memory of a player's trees on a rank: with what is kept of the last moves."""
    room = player.fits(game)
    if not room:
        return 0.0
    simulations = min(room, KEPT * planned(player, game))
    machines = -(-max(1, player.machines) // together)
    return machines * simulations * NODES_A_SIMULATION * game.core.points * NODE_BYTES


# As text


def game_time(seconds: float) -> str:
    if seconds < 0.001:
        return f"{plain(1000 * seconds)} ms"
    return f"{plain(seconds)} s" if seconds < 10 else duration(seconds)


def all_time(seconds: float) -> str:
    return duration(seconds) if seconds >= 1 else "below 1 s"


def estimates_table(estimates: Iterable[MatchEstimate]) -> FittingTable:
    rows = [
        [str(one.match.key), f"{one.match.games:,}", str(one.plies), *times(one)]
        for one in estimates
    ]
    return fitting(["match", "games", "plies", "a game", "all games"], rows)


def times(one: MatchEstimate) -> list[str]:
    return [game_time(one.seconds), all_time(one.total)]


def total(estimates: Iterable[MatchEstimate], noun: str = "game") -> str:
    estimates = list(estimates)
    games, seconds = sum(e.match.games for e in estimates), sum(e.total for e in estimates)
    little = seconds < 3600 * MIN_CORE_HOURS
    hours = f"less than {MIN_CORE_HOURS}" if little else f"about {core_hours(seconds)}"
    return f"{counted(games, noun)}, {hours} core-hours: {all_time(seconds)} on one core"


def core_hours(seconds: float) -> str:
    hours = seconds / 3600
    return plain(hours) if hours < 10 else f"{hours:,.0f}"


def one_by_one(
    things: Mapping[str, Thing], verb: str, console: Console | None = None
) -> Iterator[Thing]:
    """Yield things, and show the current one: a bar on a terminal, else a line a minute."""
    console = console or log_console()
    next_line = time.monotonic() + SECONDS_BETWEEN_LINES
    bars = Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    )
    with undisturbed(console), bars:
        task = bars.add_task(verb, total=len(things))
        for done, (name, thing) in enumerate(things.items()):
            bars.update(task, completed=done, description=harmless(f"{verb} {name}"))
            if not console.is_terminal and time.monotonic() >= next_line:
                next_line += SECONDS_BETWEEN_LINES
                console.print(Text(f"{verb} {name}, {done} of {len(things)} over"), soft_wrap=True)
            yield thing
