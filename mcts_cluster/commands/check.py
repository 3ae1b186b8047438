"""The verb `check`: reads a job, plays a quick game of each match, and says how long all will take.

In these games budgets are cut to a few simulations, and the time that a player took is scaled up
again. A larger tree is slower, and a better player plays longer or shorter games: so it is about
what is said, half or twice as much. Where nobody goes by the clock, the time is that of the
processor, so that it hardly matters what else the machine does.
"""

from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from time import monotonic, process_time
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from mcts_cluster.bgp import versions
from mcts_cluster.bgp.campaign import Campaign
from mcts_cluster.errors import UserError
from mcts_cluster.jobs import reader
from mcts_cluster.jobs.job import Job
from mcts_cluster.matches.match import GameRecord, play
from mcts_cluster.matches.match_settings import Match
from mcts_cluster.parallel.leader import TeamPlayer
from mcts_cluster.parallel.team import EXCHANGES
from mcts_cluster.players.gtp_program import Program
from mcts_cluster.players.mcts import Mcts
from mcts_cluster.players.player import Player
from mcts_cluster.reports import campaign_forecast
from mcts_cluster.reports.durations import duration
from mcts_cluster.reports.formats import wide_console
from mcts_cluster.running.progress import one_by_one
from mcts_cluster.running.workers import cores

EXAMPLES = """\
examples:
  mcts-cluster check jobs/quickstart.toml
  mcts-cluster check jobs/table1-go9.toml --set match.games=200
  mcts-cluster check jobs/bgp-good-9x9.toml --workers 256
"""

# What is spent on a move in a quick game, of each kind of budget.
QUICK = {"simulations": 100, "playouts": 200, "seconds": 0.01}
# By the machines of a team, which take turns.
QUICK_TEAM = 800
MIN_OF_A_MACHINE = 10
SECONDS_OF_A_MACHINE = 0.002


@dataclass(frozen=True)
class MatchEstimate:
    """What a quick game has told of a match."""

    match: Match
    plies: int
    seconds: float  # a game will take

    @property
    def total(self) -> float:
        return self.seconds * self.match.games


def add_arguments(parser: ArgumentParser) -> None:
    parser.formatter_class = RawDescriptionHelpFormatter
    parser.epilog = EXAMPLES
    parser.add_argument("job", help="a job file, like jobs/quickstart.toml")
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="KEY=VALUE",
        help="replace what the job says, as in run",
    )
    parser.add_argument(
        "--workers",
        type=int,
        default=cores(),
        metavar="N",
        help="games at a time, for the walltime of a campaign (default: the cores here)",
    )


def main(args: Namespace) -> int:
    if args.workers < 1:
        raise UserError(f"--workers {args.workers}: at least 1 is wanted")
    job = reader.read(args.job, args.set)
    console = wide_console()
    if job.campaign:
        check_campaign(job, job.campaign, args.workers, console)
        return 0
    matches = {match.name: match for match in job.matches}
    playing = one_by_one(matches, "quick game of", Console(stderr=True, highlight=False))
    estimates = [estimate(job, match) for match in playing]
    if job.title:
        console.print(Text(job.title, "bold"))
    console.print(as_table(estimates))
    console.print(Text(summary(estimates)), soft_wrap=True)
    return 0


def check_campaign(job: Job, campaign: Campaign, workers: int, console: Console) -> None:
    """Play a quick game of the first candidate, and print how long races will take."""
    match = versions.match_of(campaign, (), (1, 1))
    one = estimate(versions.found(job, match.name)[0], match)
    if job.title:
        console.print(Text(job.title, "bold"))
    console.print(Text(f"a game: about {of_a_game(one.seconds)}, {one.plies} plies"))
    for size in sorted({campaign.racing(n + 1) for n in range(campaign.iterations)}):
        for judge in campaign_forecast.judges(campaign.race):
            console.print(campaign_forecast.of_races(campaign, size, one.seconds, workers, judge))
    for line in campaign_forecast.summary(campaign, one.seconds, workers):
        console.print(Text(line), soft_wrap=True)


def quick(player: Player, budgets: Mapping[str, float] = QUICK) -> tuple[Player, float]:
    """Return a player with a smaller budget, and how many times as long the other one takes."""
    if isinstance(player, TeamPlayer):
        return quick_team(player)
    said: dict[str, Any] = {}
    scales = []
    for name, least in budgets.items():
        budget = getattr(player, name, 0)
        if budget > least:
            said[name] = least
            scales.append(budget / least)
    # Of two budgets, the one that is spent first decides; which one that is, nobody knows yet.
    return replace(player, **said) if said else player, min(scales, default=1.0)  # type: ignore[type-var]


def quick_team(team: TeamPlayer) -> tuple[TeamPlayer, float]:
    """Return a team that exchanges as often for what it searches, and how much longer it takes."""
    machine, sharing = team.machine, team.sharing
    share = max(MIN_OF_A_MACHINE, QUICK_TEAM // sharing.machines)
    least = {"simulations": min(share, QUICK["simulations"]), "seconds": SECONDS_OF_A_MACHINE}
    if machine.simulations and not (machine.seconds or sharing.period or sharing.period_seconds):
        sharing = replace(sharing, period=-(-machine.simulations // EXCHANGES))
    smaller, scale = quick(machine, least)
    assert isinstance(smaller, Mcts)
    return replace(team, machine=smaller, sharing=sharing), scale


def estimate(job: Job, match: Match) -> MatchEstimate:
    """Play a quick game of a match; raises EngineError."""
    players = {name: quick(job.players[name]) for name in match.players}
    clock, processor = monotonic(), process_time()
    row: GameRecord = play(replace(job, players={n: p for n, (p, _) in players.items()}), match, 0)
    busy = (process_time() - processor) / (monotonic() - clock)
    scales = [players[name][1] for name in match.players]
    seconds = sum(s * scale for s, scale in zip(row.seconds, scales, strict=True))
    if not any(goes_by_the_clock(job.players[name]) for name in match.players):
        # What others on this machine have taken will not be theirs.
        seconds *= min(1.0, busy)
    return MatchEstimate(match, row.plies, seconds)


def goes_by_the_clock(player: Player) -> bool:
    """Tell whether a player takes time that is not work of this process."""
    machine = player.machine if isinstance(player, TeamPlayer) else player
    return isinstance(player, Program) or getattr(machine, "seconds", 0) > 0


def of_a_game(seconds: float) -> str:
    return f"{seconds:.2g} s" if seconds < 10 else duration(seconds)


def as_table(estimates: Iterable[MatchEstimate]) -> Table:
    table = Table("match")
    for heading in ("games", "plies", "a game", "all games"):
        table.add_column(heading, justify="right", no_wrap=True)
    for one in estimates:
        game = of_a_game(one.seconds)
        cells = [f"{one.match.games:,}", str(one.plies), game, duration(one.total)]
        table.add_row(*map(Text, (one.match.name, *cells)))
    return table


def summary(estimates: Iterable[MatchEstimate]) -> str:
    estimates = list(estimates)
    games, total = sum(e.match.games for e in estimates), sum(e.total for e in estimates)
    hours = total / 3600
    said = f"{hours:.2g}" if hours < 10 else f"{hours:,.0f}"
    return f"{games:,} games, about {said} core-hours: {duration(total)} on one core"
