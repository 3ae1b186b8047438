"""A notice of what has become of a run: in a line, and as JSON."""

import json
import os
import time
from dataclasses import asdict, dataclass, field

from mcts_cluster.errors import one_line
from mcts_cluster.reports.formats import duration
from mcts_cluster.settings.words import with_void

COMPLETE, STOPPED, GIVEN_UP, SILENT = "complete", "stopped", "given-up", "silent"
MAX_TEXT = 400
WORDS = {
    COMPLETE: "complete",
    STOPPED: "stopped, run again to continue",
    GIVEN_UP: "given up",
    SILENT: "silent",
}


@dataclass(frozen=True)
class Notice:
    """What has happened to a run; games are those of this run, seconds since its beginning.

    Where a run plays moves, games are moves.
    """

    event: str
    title: str
    file: str
    games: int
    seconds: float
    missing: str = ""  # what has not been played, the subject of a sentence
    reason: str = ""
    status: int | None = None  # of the run's end
    void: int = 0  # of the games
    noun: str = "game"  # what was played
    host: str = field(default_factory=lambda: os.uname().nodename)
    process: int = field(default_factory=os.getpid)
    time: float = field(default_factory=time.time)

    @property
    def text(self) -> str:
        """All of it in a line, fit for a subject or a message."""
        name = f"{self.title} ({self.file})" if self.title else self.file
        parts = [f"{WORDS[self.event]}: {name} on {self.host}"]
        played = with_void(self.games, self.void, self.noun)
        parts.append(f"{played}, in {duration(self.seconds)}")
        parts += [f"{self.missing} missing"] if self.missing and self.event != COMPLETE else []
        parts += [self.reason] if self.reason else []
        line = one_line(", ".join(parts))
        return "".join(c for c in line if c.isprintable())[:MAX_TEXT]

    @property
    def json(self) -> str:
        return json.dumps({"text": self.text} | asdict(self), indent=1) + "\n"
