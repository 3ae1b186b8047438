"""The programs that players of a job start: looked for before a game is played."""

from collections.abc import Iterable

from mcts_cluster.errors import UserError
from mcts_cluster.jobs.job import Job
from mcts_cluster.jobs.places import told
from mcts_cluster.settings.words import Path


def refuse_missing(path: str, job: Job, players: Iterable[str]) -> None:
    """Raise UserError with the keys of programs that are not on this machine, of these players."""
    wanted = {job.players[name].lacks for name in players}
    found: dict[Path, str] = {}
    # A player that is like another one has its program from that, which stands before it.
    for name, player in job.players.items():
        if player.lacks in wanted - {"", *found.values()}:
            found["player", name, "command"] = player.lacks
    if found:
        raise UserError(told(path, found, job.text, job.overrides))
