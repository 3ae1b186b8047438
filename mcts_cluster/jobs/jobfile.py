"""The vocabulary of a job file: read, checked as a whole, turned into a Job.

Every mistake is reported with the path of its key and what is allowed there, all of them together,
before a single game is played.

    title = "..."           seed = 1
    [game]                  name = "go", and the settings of that game
    [player.NAME]           simulations = 1000 or seconds = 0.5 or both, for a tree search, and if
                            wanted its other settings (docs/search.md); machines = 8 and more
                            (docs/sharing.md) make it a team;
                            playouts = 1000 for flat Monte-Carlo;
                            command = "gnugo --mode gtp --seed {seed}" for a program that speaks
                            GTP and, if wanted, seconds_to_answer = 60, more than it ever takes
                            for an answer (600); {seed} is another number in each game
    [[match]]               players = ["NAME", "OTHER"], games = 100; published = "table1.go9.1000"
                            to compare with what a paper has found; opening = 6 for so many moves
                            at random, the same in games 2k and 2k + 1; resign_below = 0.02
                            for players to resign who expect less
    [campaign]              instead of matches: player = "NAME", iterations = 100, and what else
                            campaign.py knows
    [positions]             instead of matches: file = "positions.txt" (position_file.py), players =
                            ["NAME"], runs = 100; simulations = [100, 1000] for each player with
                            each of these budgets

docs/jobs.md tells of every key; `like`, `vary` and --set are written out by abbreviations.
"""

import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any, TypeVar

import cext.game
from cext.go import Go
from mcts_cluster import published
from mcts_cluster.bgp import campaign
from mcts_cluster.errors import UserError
from mcts_cluster.games import GAMES, new
from mcts_cluster.jobs.expansion import Expansion, override
from mcts_cluster.jobs.job import Job
from mcts_cluster.matches.experiment import Experiment
from mcts_cluster.matches.match_settings import Match, MatchKey
from mcts_cluster.matches.matches import Matches
from mcts_cluster.matches.task import Setup
from mcts_cluster.parallel.leader import TeamPlayer
from mcts_cluster.parallel.sharing import STRATEGIES
from mcts_cluster.parallel.sharing.exchange import AVERAGES, Sharing
from mcts_cluster.players import bias_patterns, move_model
from mcts_cluster.players.bias_patterns import Pattern
from mcts_cluster.players.flat import FlatMonteCarlo
from mcts_cluster.players.gtp_program import Program
from mcts_cluster.players.mcts import BANDITS, INFORMED, POLICY_SETTINGS, Mcts, defaults
from mcts_cluster.players.player import Player
from mcts_cluster.positions import position_file
from mcts_cluster.positions.position import Position
from mcts_cluster.positions.positions import Entrant, Positions

T = TypeVar("T", str, int, float, list[Any], dict[str, Any])


def read(path: str | Path, overrides: Sequence[str] = ()) -> Job:
    """Read a job file; raises UserError with all of its mistakes, a line each.

    Overrides replace what it says: "player.NAME.simulations=500".
    """
    try:
        text = Path(path).read_bytes().decode()
        return read_text(text, overrides)
    except OSError as error:
        raise UserError(f"{path}: {error.strerror}") from None
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise UserError(f"{path}: not in UTF-8 (at line {line})") from None
    except tomllib.TOMLDecodeError as error:
        raise UserError(f"{path}: {error}") from None
    except Mistakes as error:
        raise UserError("\n".join(f"{path}: {line}" for line in error.lines)) from None


def read_text(text: str, overrides: Sequence[str] = ()) -> Job:
    """Read the text of a job file; raises Mistakes and what tomllib raises."""
    job = tomllib.loads(text.replace("\r\n", "\n"))
    for one in overrides:
        job = override(job, one)
    return replace(parse(job), text=text, overrides=tuple(overrides))


class Mistakes(Exception):
    """What is wrong in a job, a line each."""

    def __init__(self, lines: list[str]) -> None:
        super().__init__(*lines)
        self.lines = lines


def parse(job: Mapping[str, Any]) -> Job:
    """Turn the parsed text into a Job; raises Mistakes."""
    expansion = Expansion(job)
    top = Section(expansion.job, "", {})
    title = top.take("title", str, "")
    seed = top.whole("seed", 0, least=0)
    name, settings = read_game(top.section("game"))
    kind = GAMES.get(name)
    players = {name: read_player(part, kind) for name, part in top.named_sections("player")}
    setup = Setup(seed, name, settings, players)
    experiment = read_experiment(top, setup, expansion.budget_models)
    top.finish()
    if mistakes := expansion.complaints(top.mistakes):
        raise Mistakes([f"{path}: {text}" for path, text in mistakes.items()])
    return Job(seed, name, settings, players, experiment, title)


def read_experiment(top: "Section", setup: Setup, models: Mapping[str, str]) -> Experiment:
    """A job has one of EXPERIMENTS; where it has several, the last one is read."""
    *others, last = [key for key in EXPERIMENTS if key in top.values] or ["match"]
    for key in others:
        del top.values[key]
        top.complain(key, f"not next to {last}")
    return EXPERIMENTS[last](top, setup, models)


def read_matches(top: "Section", players: Mapping[str, Player]) -> Matches:
    matches: list[Match] = []
    for section in top.listed_sections("match"):
        match = read_match(section, players)
        # The same games would be counted twice.
        if any(match.key == other.key for other in matches):
            section.complain("players", f"there is a match {str(match.key)!r} already")
        matches.append(match)
    return Matches(tuple(matches))


def read_positions(
    section: "Section",
    players: Mapping[str, Player],
    game: str,
    settings: Mapping[str, Any],
    models: Mapping[str, str],
) -> Positions:
    names = section.take("players", list, None)
    if not names and "players" not in section.mistakes:
        section.complain("players", "empty, at least one name of a player is needed")
    for index, name in enumerate(names):
        if name not in list(players):
            section.complain(
                f"players[{index}]", f"{name!r} is not a player{nearest(name, players)}"
            )
        elif name in names[:index]:
            section.complain(f"players[{index}]", f"{name!r} is named twice")
    section.known.append("simulations")
    entrants = [Entrant(name, models.get(name, name)) for name in names if isinstance(name, str)]
    runs = section.whole("runs", 100, least=1, most=10**6)
    if game != "go":
        section.complain("", f"positions are of Go, this game is {game}")
    if "handicap" in settings:
        section.complain("", "a position has its stones already, there can be no handicap")
    return Positions(tuple(read_position_file(section, settings)), tuple(entrants), runs)


def read_position_file(section: "Section", settings: Mapping[str, Any]) -> list[Position]:
    """The file is read now, so that every process has the same positions."""
    path = section.take("file", str, None)
    if not path:
        return []
    try:
        positions, mistakes = position_file.read(path)
    except UserError as error:
        section.complain("file", str(error))
        return []
    for position in positions:
        mistakes += [(position.name, text) for text in position.mistakes(settings)]
    for number, (name, text) in enumerate(mistakes, 1):
        section.complain(f"file[{number}]", f"{path}: {name}: {text}")
    return positions


def read_campaign(top: "Section", setup: Setup, _: Mapping[str, str]) -> Experiment:
    section = top.section("campaign")
    return campaign.read(section, setup.players, setup.game, setup.settings, setup.seed)


# By the keys of a job file; the first one where there is none.
EXPERIMENTS: Mapping[str, Callable[["Section", Setup, Mapping[str, str]], Experiment]] = {
    "match": lambda top, setup, _: read_matches(top, setup.players),
    "campaign": read_campaign,
    "positions": lambda top, setup, models: read_positions(
        top.section("positions"), setup.players, setup.game, setup.settings, models
    ),
}


def read_game(section: "Section") -> tuple[str, Mapping[str, Any]]:
    """The settings of a game are checked by the game: only it knows what it allows."""
    name = section.choice("name", "go", GAMES)
    if name not in GAMES:
        section.rest()
        return name, {}
    settings: dict[str, Any] = {}
    # One after another, each beside those that are right: what is allowed may depend on the size.
    for key in GAMES[name].settings:
        section.known.append(key)
        if key not in section.values:
            continue
        value = section.values.pop(key)
        try:
            new(name, **settings, **{key: value})
            settings[key] = value
        except UserError as error:
            section.complain(key, str(error).removeprefix(f"{name}: {key} "))
    return name, settings


GameKind = type[cext.game.Game] | None  # None where a mistake hides which


def read_player(section: "Section", game: GameKind) -> Player:
    """A player with a budget has a tree, one with playouts none; a command is a program."""
    if "simulations" in section.values or "seconds" in section.values:
        for other in ("playouts", "command"):
            if section.values.pop(other, None) is not None:
                section.complain(other, "not beside simulations or seconds")
        return read_searcher(section, game)
    if "playouts" in section.values:
        return FlatMonteCarlo(section.whole("playouts", None, least=1, most=10**9))
    if "command" in section.values:
        return read_program(section)
    section.complain("simulations", "missing, and playouts and command too: one of them is wanted")
    # What there is for a hint at a key that was meant.
    example = Section({}, "", {})
    read_mcts(example, game)
    read_sharing(example)
    section.known += [*example.known, "playouts", "command", "seconds_to_answer"]
    # With what is missing they would mean something.
    for key in section.values.keys() & section.known:
        del section.values[key]
    return FlatMonteCarlo(1)


def read_searcher(section: "Section", game: GameKind) -> Player:
    """One tree, or a machine for each of several that share."""
    is_team = "machines" in section.values
    player = read_mcts(section, game)
    for key in () if is_team else SHARING & section.values.keys():
        del section.values[key]
        section.complain(key, "only beside machines, which are missing")
    sharing = read_sharing(section)
    if not is_team:
        return player
    if player.stop_early:
        section.complain("stop_early", "not beside machines")
    return TeamPlayer(player, sharing)


SHARING = {
    "sharing",
    "period",
    "period_seconds",
    "share_depth",
    "share_threshold",
    "average",
    "share_rave",
    "overlap",
}


def read_sharing(section: "Section") -> Sharing:
    # A period that is said is one.
    least = 1 if "period" in section.values else 0
    least_seconds = 0.001 if "period_seconds" in section.values else 0.0
    return Sharing(
        machines=section.whole("machines", 1, least=1, most=10**4),
        strategy=section.choice("sharing", "slow-tree", STRATEGIES),
        period=section.whole("period", 0, least=least, most=10**9),
        period_seconds=section.number("period_seconds", 0, least=least_seconds, most=1e6),
        depth=section.whole("share_depth", 3, least=0, most=100),
        threshold=section.number("share_threshold", 5, least=0.1, most=100),
        average=section.choice("average", "sum", AVERAGES),
        rave=section.flag("share_rave", True),
        overlap=section.flag("overlap", False),
    )


def read_mcts(section: "Section", game: GameKind) -> Mcts:
    """What is not said is as the bandit has it."""
    of_go = [name for name in ("patterns", "database") if section.values.get(name)]
    bandit = section.choice("bandit", "mogo", BANDITS)
    default = defaults(bandit if bandit in BANDITS else "mogo", game)
    known = policy_settings(game)
    # A budget that is said is one: the first simulation only visits the root, and chooses nothing.
    least = 2 if "simulations" in section.values else 0
    least_seconds = 0.001 if "seconds" in section.values else 0.0
    player = Mcts(
        simulations=section.whole("simulations", default.simulations, least=least, most=10**9),
        seconds=section.number("seconds", default.seconds, least=least_seconds, most=1e6),
        threads=section.whole("threads", default.threads, least=1, most=1024),
        exploration=section.number("exploration", default.exploration, least=0, most=1e9),
        rave=section.number("rave", default.rave, least=0, most=1e9),
        widening=section.number("widening", default.widening, least=0, most=1e9),
        first_play_urgency=section.number(
            "first_play_urgency", default.first_play_urgency, least=0, most=1e9
        ),
        bias=section.number("bias", default.bias, least=0, most=1e9),
        expand_at=section.whole("expand_at", default.expand_at, least=1, most=10**6),
        virtual_loss=section.whole("virtual_loss", default.virtual_loss, least=0, most=1000),
        solve=section.flag("solve", default.solve),
        priors=section.flag("priors", default.priors),
        reuse_tree=section.flag("reuse_tree", default.reuse_tree),
        stop_early=section.flag("stop_early", default.stop_early),
        megabytes=section.whole("megabytes", default.megabytes, least=1, most=60_000),
        policy=section.choice("policy", default.policy, ("informed", "uniform")),
        policy_settings=tuple(
            (name, section.whole(name, default, least=0, most=1000))
            for name, default in known.items()
            if name in section.values
        ),
        patterns=read_patterns(section),
        database=read_database(section, default.database),
    )
    section.known += known
    for name in [name for name, _ in player.policy_settings] + of_go:
        if player.policy == "uniform":
            section.complain(name, "the uniform policy does not know it")
        elif game and (game not in INFORMED or (name in of_go and game is not Go)):
            section.complain(name, f"{game.__name__} has no policy that knows it")
    return player


def policy_settings(game: GameKind) -> Mapping[str, int]:
    """Return what the policy of a game can be told, or of any game if a mistake hides which."""
    if game:
        return POLICY_SETTINGS.get(game, {})
    return {name: value for known in POLICY_SETTINGS.values() for name, value in known.items()}


def read_patterns(section: "Section") -> tuple[Pattern, ...]:
    """The file is read now, so that every process plays with the same patterns."""
    path = section.take("patterns", str, "")
    try:
        return tuple(bias_patterns.read(path)) if path else ()
    except UserError as error:
        section.complain("patterns", str(error))
        return ()


def read_database(section: "Section", default: move_model.Source) -> move_model.Source:
    name = section.take("database", str, default.name)
    try:
        return move_model.source(name)
    except UserError as error:
        section.complain("database", str(error))
        return default


def read_program(section: "Section") -> Program:
    """Whether there is such a program is not asked: another machine may play the games."""
    command = section.take("command", str, None)
    program = Program(command, section.number("seconds_to_answer", 600, least=0.1, most=1e6))
    try:
        if not program.words():
            section.complain("command", f"{command!r}, the name of a program is wanted")
    except ValueError as error:
        section.complain("command", f"{command!r}: {error}")
    return program


def read_match(section: "Section", players: Mapping[str, Any]) -> Match:
    names = section.take("players", list, [])
    games = section.whole("games", None, least=1, most=10**6)
    if len(names) != 2:
        section.complain("players", "two names of players are wanted")
    for index, name in enumerate(names):
        if name not in list(players):
            mistake = f"{name!r} is not a player{nearest(name, players)}"
            section.complain(f"players[{index}]", mistake)
    first, second = (*names, "", "")[:2]
    figure = section.take("published", str, "")
    if figure and figure not in published.figures():
        section.complain("published", f"{figure!r}{nearest(figure, published.figures())}")
    opening = section.whole("opening", 0, least=0, most=100)
    resign_below = section.number("resign_below", 0, least=0, most=0.5)
    return Match(MatchKey(first, second), games, figure, opening, resign_below)


def nearest(word: object, known: Iterable[str]) -> str:
    """Return a hint at what was probably meant, or at what there is."""
    known = list(known)
    close = get_close_matches(str(word), known, 1)
    return f"; did you mean {close[0]!r}?" if close else f"; known are {', '.join(known) or 'none'}"


class Section:
    """A table of the job file while it is read: hands out its values and collects mistakes."""

    def __init__(self, values: Mapping[str, Any], path: str, mistakes: dict[str, str]) -> None:
        self.values = dict(values)
        self.path = path
        self.mistakes = mistakes
        self.known: list[str] = []
        self.parts: list[Section] = []

    def complain(self, key: str, text: str) -> None:
        where = ".".join(part for part in (self.path, key) if part)
        # What follows from a mistake is not another one.
        if not any(f"{where}.".startswith(f"{path}.") for path in self.mistakes):
            self.mistakes[where] = text

    def take(self, key: str, kind: type[T], default: T | None) -> T:
        """Return a value of the kind that is wanted; after a mistake, an empty one."""
        self.known.append(key)
        value = self.values.pop(key, default)
        # TOML's true is no number, though Python's is.
        if isinstance(value, kind) and not (kind is int and isinstance(value, bool)):
            return value
        names = {
            str: "a string",
            int: "a whole number",
            float: "a number",
            list: "a list",
            dict: "a table",
        }
        found = "missing" if value is None else f"{value!r}"
        self.complain(key, f"{found}, {names[kind]} is wanted")
        return kind()

    def whole(self, key: str, default: int | None, least: int, most: int | None = None) -> int:
        value = self.take(key, int, default)
        if value < least:
            self.complain(key, f"{value}, at least {least} is wanted")
        if most is not None and value > most:
            self.complain(key, f"{value}, at most {most} is allowed")
        return value

    def number(self, key: str, default: float, least: float, most: float) -> float:
        # A whole number is as good.
        given = self.values.get(key)
        kind = int if isinstance(given, int) and not isinstance(given, bool) else float
        value = self.take(key, kind, kind(default))
        if not least <= value <= most:
            self.complain(key, f"{value:g}, {least:g} to {most:g} is allowed")
        return float(value)

    def flag(self, key: str, default: bool) -> bool:
        self.known.append(key)
        value = self.values.pop(key, default)
        if not isinstance(value, bool):
            self.complain(key, f"{value!r}, true or false is wanted")
        return bool(value)

    def choice(self, key: str, default: str, allowed: Iterable[str]) -> str:
        value = self.take(key, str, default)
        if value not in allowed:
            self.complain(key, f"{value!r}{nearest(value, allowed)}")
        return value

    def rest(self) -> dict[str, Any]:
        """Return everything that was not asked for, to be checked elsewhere."""
        values, self.values = self.values, {}
        return values

    def section(self, key: str) -> "Section":
        return self.part(key, self.take(key, dict, {}))

    def named_sections(self, key: str) -> list[tuple[str, "Section"]]:
        tables = self.section(key)
        return [(name, tables.section(name)) for name in list(tables.values)]

    def listed_sections(self, key: str) -> list["Section"]:
        tables = self.take(key, list, [])
        if not tables:
            self.complain(key, f"missing, at least one [[{key}]] is wanted")
        for index, table in enumerate(tables):
            if not isinstance(table, dict):
                self.complain(f"{key}[{index}]", f"{table!r}, a table is wanted")
        return [self.part(f"{key}[{i}]", t) for i, t in enumerate(tables) if isinstance(t, dict)]

    def part(self, key: str, values: Mapping[str, Any]) -> "Section":
        path = ".".join(part for part in (self.path, key) if part)
        self.parts.append(Section(values, path, self.mistakes))
        return self.parts[-1]

    def finish(self) -> None:
        """Complain of every key that nobody asked for, here and below."""
        for key in self.values:
            self.complain(key, f"unknown key{nearest(key, self.known)}")
        for part in self.parts:
            part.finish()
