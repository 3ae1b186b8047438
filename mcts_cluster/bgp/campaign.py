"""What a job says of a campaign: whose mutations race, how many, and how they are proposed.

    [campaign]
    player = "NAME"             the baseline, a tree search of Go
    iterations = 100            races, one after another
    candidates = 1              mutations in each; [10, 10, 1]: in the first, the second, all others
    proposer, sign, strength, extent, cells, simulations, patterns
                                how they are proposed (mutations)
    judge, bound, lower, ...    how they are judged (race)

docs/campaigns.md tells of every key.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar

from mcts_cluster import published
from mcts_cluster.bgp import versions
from mcts_cluster.bgp.mutations import PROPOSERS, SIGNS, Mutation, Proposing
from mcts_cluster.bgp.race_settings import SETTINGS, RaceSettings, mistake
from mcts_cluster.bgp.risk_budget import RiskBudget
from mcts_cluster.bgp.versions import CandidateKey, Place
from mcts_cluster.errors import UserError
from mcts_cluster.matches.comparison import compare
from mcts_cluster.matches.match import GameRecord, play_or_void
from mcts_cluster.matches.match_settings import MatchKey
from mcts_cluster.matches.task import Setup, Task
from mcts_cluster.players import bias_patterns
from mcts_cluster.players.bias_patterns import MAX_REACH, MAX_STRENGTH, Pattern
from mcts_cluster.players.mcts import Mcts
from mcts_cluster.seeds import seed

if TYPE_CHECKING:
    from mcts_cluster.jobs.jobfile import Section

MAX_ITERATIONS = 10**5
MAX_CANDIDATES = 1000
# A file of results has a line of fixed length for it.
MAX_NAME = 100
CANDIDATES = f"a whole number from 1 to {MAX_CANDIDATES}, or a list of such"


@dataclass(frozen=True)
class Campaign:
    """Races of mutations against a player, and how both are made."""

    player: str
    iterations: int
    candidates: tuple[int, ...]  # in the first race and so on; the last number holds for the rest
    race: RaceSettings
    proposing: Proposing
    seed: int
    opening: int = 0  # plies at random, the same in games 2k and 2k + 1
    resign_below: float = 0.0  # a player that expects less of its move resigns; 0: nobody does
    total_risk: float = 0.0  # of all races; 0: each has the risk that `race` says
    published: str = ""  # the name of a paper's campaign to compare with
    # Those that have been proposed here: a position may have to be played for one.
    proposed: dict[Place, Mutation] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    kind: ClassVar[str] = "campaign"

    def play(self, setup: Setup, task: Task) -> GameRecord:
        assert isinstance(task.match, CandidateKey)
        match = versions.match_of(self, task.match)
        versioned = replace(setup, players=self.players(setup, task.match))
        return play_or_void(versioned, match, task.number, task.attempt)

    def players(self, setup: Setup, match: MatchKey) -> Mapping[str, Mcts]:
        assert isinstance(match, CandidateKey)
        return versions.players(setup, self, match)

    def described(self) -> dict[str, Any]:
        settings = asdict(self)
        # What is proposed follows from the rest.
        del settings["proposed"]
        # The seed, the board and the player are described already.
        del settings["seed"], settings["proposing"]["board"], settings["proposing"]["player"]
        return {"campaign": settings}

    def differences(self, file: Mapping[str, Any]) -> Iterator[str]:
        """Only iterations may be added."""
        described = json.loads(json.dumps(self.described()["campaign"]))
        before, now = file["campaign"]["iterations"], self.iterations
        if now < before:
            yield f"campaign: {before} iterations in the file, {now} in the job"
        yield from compare("campaign", file["campaign"], {**described, "iterations": before})

    def playing(self, file: Mapping[str, Any]) -> set[str]:
        return {file["campaign"]["player"]}

    @property
    def ledger(self) -> RiskBudget:
        return RiskBudget(self.race, self.total_risk)

    def spent(self, races: int) -> float:
        """Return the risk of error of the first races together."""
        return self.ledger.spent(sizes(self.candidates, races))

    def spent_in(self, iteration: int) -> float:
        """Return the risk of error of one race."""
        return self.ledger.spent_in(sizes(self.candidates, iteration))

    def mutation(self, place: Place) -> Mutation:
        """Return what is tried at a place; its patterns are named after it, if they lack one."""
        if place not in self.proposed:
            iteration, candidate = place
            number = mutations_before(iteration, self.candidates) + candidate - 1
            found = self.proposing.propose(seed(self.seed, "campaign", *place), number)
            self.proposed[place] = tuple(
                Pattern(p.cells, p.strength, p.name or self.tag(place)) for p in found
            )
        return self.proposed[place]

    def racing(self, iteration: int) -> int:
        """Return how many candidates a race has."""
        return self.candidates[min(iteration, len(self.candidates)) - 1]

    def tag(self, place: Place) -> str:
        """Return the name of a mutation: "16", or "16.3" where the race has several."""
        return ".".join(map(str, place if self.racing(place[0]) > 1 else place[:1]))

    def version(self, places: Iterable[Place]) -> str:
        """Return the name of the baseline with some mutations: "mogo+16+22"."""
        return "+".join([self.player, *map(self.tag, places)])


def read(
    section: Section,
    players: Mapping[str, Any],
    game: str,
    board: Mapping[str, Any],
    job_seed: int,
) -> Campaign:
    """Read the table of a job file, and complain of what is wrong in it."""
    name = section.take("player", str, None)
    player = players.get(name)
    if "player" not in section.mistakes and not isinstance(player, Mcts):
        searchers = [n for n, p in players.items() if isinstance(p, Mcts)]
        known = ", ".join(searchers) or "none"
        section.complain("player", f"{name!r} is no tree search of this job; known are {known}")
    elif isinstance(player, Mcts) and player.policy == "uniform":
        section.complain("player", f"{name!r} has the uniform policy, which knows no patterns")
    if game != "go":
        section.complain("", f"campaigns are of Go, this game is {game}")
    iterations = section.whole("iterations", None, least=1, most=MAX_ITERATIONS)
    candidates = read_candidates(section)
    size = board.get("size", 9)
    most_reach = min(size - 1, MAX_REACH) if isinstance(size, int) else MAX_REACH
    proposer = section.choice("proposer", "random", PROPOSERS)
    wanted = mutations_before(iterations + 1, candidates) if proposer == "listed" else 0
    proposing = Proposing(
        proposer=proposer,
        sign=section.choice("sign", "positive", SIGNS),
        strength=section.number("strength", 0.1, least=2**-32, most=MAX_STRENGTH),
        extent=section.whole("extent", max(most_reach, 1), least=1, most=max(most_reach, 1)),
        cells=section.whole("cells", 8, least=1, most=100),
        simulations=section.whole("simulations", 20, least=2, most=10**6),
        listed=read_listed(section, wanted),
        board=dict(board),
        player=player if isinstance(player, Mcts) else Mcts(),
    )
    figure = section.take("published", str, "")
    if figure and figure not in published.campaigns():
        known = ", ".join(published.campaigns())
        section.complain("published", f"{figure!r}; known are {known}")
    race = read_race(section)
    opening = section.whole("opening", 0, least=0, most=100)
    least_risk = 1e-9 if "total_risk" in section.values else 0.0
    total_risk = section.number("total_risk", 0, least=least_risk, most=0.5)
    return Campaign(
        player=name,
        iterations=iterations,
        candidates=candidates,
        race=race,
        proposing=proposing,
        seed=job_seed,
        opening=opening,
        resign_below=section.number("resign_below", 0, least=0, most=0.5),
        total_risk=total_risk,
        published=figure,
    )


def sizes(candidates: Sequence[int], races: int) -> list[int]:
    """Return how many candidates each of the first races has."""
    return [candidates[min(race, len(candidates) - 1)] for race in range(races)]


def mutations_before(iteration: int, candidates: tuple[int, ...]) -> int:
    """Return how many mutations the races before this one have together."""
    races = iteration - 1
    return sum(candidates[:races]) + candidates[-1] * max(0, races - len(candidates))


def read_candidates(section: Section) -> tuple[int, ...]:
    section.known.append("candidates")
    given = section.values.pop("candidates", 1)
    numbers = given if isinstance(given, list) else [given]
    if numbers and all(type(n) is int and 1 <= n <= MAX_CANDIDATES for n in numbers):
        return tuple(numbers)
    section.complain("candidates", f"{given!r}, {CANDIDATES} is wanted")
    return (1,)


def read_listed(section: Section, wanted: int) -> Mutation:
    """Return so many patterns or more; the file is read now, that all processes have the same."""
    if not wanted:
        section.known.append("patterns")
        if section.values.pop("patterns", None) is not None:
            section.complain("patterns", 'only with proposer = "listed"')
        return ()
    path = section.take("patterns", str, None)
    try:
        found = tuple(bias_patterns.read(path)) if path else ()
    except UserError as error:
        section.complain("patterns", str(error))
        return ()
    for pattern in found:
        if len(pattern.name.encode()) > MAX_NAME:
            short = f"{pattern.name[:40]}..."
            section.complain("patterns", f"{path}: name {short}: {MAX_NAME} bytes are the most")
    if path and len(found) < wanted:
        section.complain(
            "iterations", f"{wanted} mutations wanted in all, {path} has {len(found)} patterns"
        )
    return found


def read_race(section: Section) -> RaceSettings:
    said: dict[str, Any] = {}
    for key, setting in SETTINGS.items():
        section.known.append(key)
        if key in section.values:
            value = section.values.pop(key)
            value = tuple(value) if isinstance(value, list) else value
            if text := mistake(setting, value):
                section.complain(key, text)
            else:
                said[key] = value
    settings = RaceSettings(**said)
    for key, text in settings.mistakes():
        section.complain(key, text)
    return settings
