"""The capacity of the master of a run: `bench master`.

Games without a search: a player sleeps for as long as a game should take, then passes. So a machine
of two cores can have as many workers as a cluster. Measured are the master, the messages and the
order of the games: how busy it keeps the workers, and what a game costs it. Nothing is written.
"""

from __future__ import annotations

import time
from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from rich.table import Table

from mcts_cluster.bgp.campaign import Campaign
from mcts_cluster.bgp.campaign_state import CampaignState
from mcts_cluster.errors import UserError
from mcts_cluster.jobs import jobfile
from mcts_cluster.jobs.job import Job
from mcts_cluster.matches.matches import Matches
from mcts_cluster.matches.schedule import Schedule
from mcts_cluster.matches.setup import Match, MatchKey
from mcts_cluster.parallel import mpi
from mcts_cluster.players.flat import Stateless
from mcts_cluster.players.mcts import Mcts
from mcts_cluster.running import mpi_workers, worker
from mcts_cluster.running.dispatcher import Dispatcher

if TYPE_CHECKING:
    from collections.abc import Callable

    from mcts_cluster.parallel.mpi import Comm


@dataclass(frozen=True)
class Sleeper(Stateless):
    """A player that sleeps, then passes."""

    nap: float  # seconds

    def choose(self, game: Any, game_seed: int) -> int:
        time.sleep(self.nap)
        return int(game.points)


@dataclass(frozen=True)
class Dreamer(Mcts):
    """A player of campaigns that sleeps, for half to one and a half times so long, then passes."""

    nap: float = 0.0

    def session(self, game: Any, game_seed: int) -> Any:
        seconds = self.nap * (0.5 + game_seed % 1000 / 1000)
        return Sleeper(seconds).session(game, game_seed)


# The first player wins, so candidates win half of their games, and races end after as many as this.
GAMES_OF_A_RACE = 400
CAMPAIGN = """
[game]
size = 5
[player.a]
simulations = 2
[campaign]
player = "a"
iterations = {races}
lower = 0.55
upper = 0.61
"""


@dataclass(frozen=True)
class MasterCost:
    """The figures of playing some games."""

    what: str
    workers: int
    games: int
    counted: int  # the others were played ahead in vain
    per_second: float
    busy: float  # of the workers' time
    master: float  # seconds of its processor a game


def play(comm: Comm, player: Any, games: int) -> MasterCost:
    """Play the games of a match, on the master."""
    match = Match(MatchKey("a", "a"), games)
    job = Job(1, "go", {"size": 5}, {"a": player}, Matches((match,)))
    schedule = Schedule({match.key: games})
    return measured("a match", comm, job, schedule, lambda: schedule.played, lambda: games)


def race(comm: Comm, nap: float, races: int, plays_ahead: bool) -> MasterCost:
    """Play the races of a campaign, of one candidate each."""
    job = jobfile.read_text(CAMPAIGN.format(races=races))
    assert isinstance(job.experiment, Campaign)
    bgp = CampaignState(job.experiment, plays_ahead=plays_ahead)
    what = "a campaign" if plays_ahead else "serially"
    sleeping = replace(job, players={"a": Dreamer(nap=nap)})
    return measured(what, comm, sleeping, bgp, lambda: bgp.played, bgp.counted.total)


def measured(
    what: str,
    comm: Comm,
    job: Job,
    source: Schedule | CampaignState,
    played: Callable[[], int],
    counted: Callable[[], int],
) -> MasterCost:
    workers = Dispatcher(mpi_workers.MpiWorkers(comm, job), job)
    busy, began, worked = 0.0, time.monotonic(), time.process_time()
    while not source.is_complete:
        while workers.has_room() and (task := source.issue()):
            workers.submit(task)
        for row in workers.rows(1):
            source.fix(row)
            busy += row.ended - row.began
    spent, worked = time.monotonic() - began, time.process_time() - worked
    while workers.under_way():
        workers.rows(1)
    games = played()
    return MasterCost(
        what,
        workers.slots,
        games,
        counted(),
        per_second=games / spent,
        busy=busy / spent / workers.slots,
        master=worked / games,
    )


def measure(*plays: Callable[[Comm], MasterCost]) -> list[MasterCost]:
    """Play on all ranks but the first; return the costs there, and nothing on the others."""
    comm = mpi.start()
    if comm is None:
        raise UserError("bench master must run under MPI: mpirun -n 3 mcts-cluster bench master 0")
    costs = []
    # Without a master the others would wait for ever.
    with mpi.ending_all():
        for found in plays:
            if comm.rank:
                worker.serve(comm, None)
            else:
                costs.append(found(comm))
                mpi_workers.dismiss(comm)
    mpi.finish()
    return costs


def of_sleeping(nap: float, games: int) -> list[MasterCost]:
    """Measure a match and campaigns whose games sleep so long."""
    races = -(-games // GAMES_OF_A_RACE)
    nap /= 2  # both pass once
    return measure(
        partial(play, player=Sleeper(nap), games=games),
        partial(race, nap=nap, races=races, plays_ahead=True),
        partial(race, nap=nap, races=races, plays_ahead=False),
    )


def as_object(costs: list[MasterCost], nap: float) -> dict[str, Any]:
    return {"seconds_a_game": nap, "costs": [asdict(cost) for cost in costs]}


def as_table(costs: list[MasterCost], nap: float) -> Table:
    workers = costs[0].workers
    title = f"games that sleep {nap:g} s; workers: {workers}"
    table = Table(title=title, title_justify="left")
    table.add_column("what")
    for heading in ("games", "not counted", "a second", "workers busy", "master, µs a game"):
        table.add_column(heading, justify="right")
    for cost in costs:
        table.add_row(
            cost.what,
            f"{cost.games:,}",
            f"{cost.games - cost.counted:,}",
            f"{cost.per_second:,.0f}",
            f"{100 * cost.busy:.1f} %",
            f"{1e6 * cost.master:.1f}",
        )
    return table
