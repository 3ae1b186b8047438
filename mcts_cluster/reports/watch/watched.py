"""A file that is watched: as it was read last, and what is wrong with it now.

It is read by the reader of files that grow, and no lock is touched: the run does not notice.
"""

import time
from dataclasses import dataclass, field
from pathlib import Path

from mcts_cluster.errors import UserError
from mcts_cluster.exit_statuses import COMPLETE
from mcts_cluster.reports import runs
from mcts_cluster.reports.formats import duration
from mcts_cluster.storage import reader
from mcts_cluster.storage.lock import seems_locked
from mcts_cluster.storage.results import Results

# Without a game for so long a run is called silent, or for so many times what a game takes.
SECONDS_OF_SILENCE = 600.0
GAMES_OF_SILENCE = 5.0


@dataclass
class Watched:
    """A file by its name, which need not be there yet.

    Public attributes (treat as read-only): results, as last read, or None; trouble, why they are
    not those of now, or nothing; is_running; read_at, when they were read.
    """

    path: Path
    log: Path | None = None
    results: Results | None = None
    trouble: str = ""
    is_running: bool = False
    read_at: float = 0.0
    seen: tuple[int, ...] = field(default=(), repr=False)  # what the file was like then
    made: dict[str, str] = field(default_factory=dict, repr=False)  # parts of a page, of results

    def look(self) -> None:
        """Read the file again if it has changed since; never raises."""
        try:
            self.is_running = seems_locked(self.path)
            now = self.like()
            if now == self.seen and not self.trouble:
                return
            self.results = reader.read(self.path)
            self.trouble, self.seen, self.read_at = "", now, time.time()
            self.made.clear()
        except UserError as error:
            self.trouble = str(error)
        except FileNotFoundError:
            self.trouble = f"{self.path}: {'is gone' if self.results else 'not there yet'}"
        except Exception as error:
            # Whatever a file has, others are still to be watched.
            self.trouble = f"{self.path}: cannot be shown: {type(error).__name__}: {error}"

    def like(self) -> tuple[int, ...]:
        """Return what tells a file from what it was before; raises OSError without one."""
        found = self.path.stat()
        return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns

    @property
    def is_under_way(self) -> bool:
        return bool(self.results and not self.results.is_closed and self.is_running)

    @property
    def state(self) -> str:
        """How the run stands, in a word or two."""
        if self.results is None:
            return "cannot be read" if self.path.exists() else "not there yet"
        if not self.path.exists():
            return "file is gone"
        if self.is_under_way:
            silent = silence(self.results)
            return f"silent for {duration(silent)}" if silent else "running"
        if not self.results.is_closed:
            return "left open, as by a kill"
        status = self.results.runs[-1].status if self.results.runs else COMPLETE
        return runs.ENDS.get(status, "stopped")


def silence(results: Results) -> float:
    """Return for how many seconds no game has ended, 0 if that is usual."""
    if not results.runs:
        return 0.0
    games = results.games
    run = results.runs[-1]
    ends, begins = (games.cells[name][run.first_game :] for name in ("ended", "began"))
    quiet = time.time() - float(ends.max(initial=run.began))
    longest = float((ends - begins).max(initial=0.0))
    return quiet if quiet > max(SECONDS_OF_SILENCE, GAMES_OF_SILENCE * longest) else 0.0
