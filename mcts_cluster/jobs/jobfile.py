"""Reads a job file as a whole, and turns it into a Job.

Every mistake is reported with the path of its key and what is allowed there, all of them together,
before a single game is played. What a key may be set to is declared where it is used (settings);
here are the rules about several keys. docs/jobs.md describes every key.

    title, seed             jobs.job
    [game]                  name, and the settings of that game (games.game_settings)
    [player.NAME]           jobs.players
    [[match]], [campaign], [positions]
                            an experiment, one of EXPERIMENTS
"""

import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any

from mcts_cluster.errors import UserError
from mcts_cluster.games import GAMES, game_settings
from mcts_cluster.jobs import places
from mcts_cluster.jobs.campaigns import read_campaign
from mcts_cluster.jobs.expansion import Expansion, override
from mcts_cluster.jobs.job import GAME, HEAD, Job
from mcts_cluster.jobs.kept_files import kept_files
from mcts_cluster.jobs.players import read_player
from mcts_cluster.jobs.positions import read_positions
from mcts_cluster.matches.experiment import Experiment
from mcts_cluster.matches.matches import Matches
from mcts_cluster.matches.setup import Match, MatchKey, Setup
from mcts_cluster.players.player import Player
from mcts_cluster.settings.checks import MAX_CHARACTERS, mistake
from mcts_cluster.settings.declaration import declared
from mcts_cluster.settings.table import Mistakes, Table, TooManyMistakes, lines_of
from mcts_cluster.settings.words import Path as KeyPath
from mcts_cluster.settings.words import closest, nearest, shown
from mcts_cluster.text_files import in_place_of_files, is_hdf5, read_bytes

# Of a job file, which is parsed by hundreds of bytes for each of its own.
MAX_BYTES = 10**6
# Of hundreds of tables in each other, for which the parser would take minutes.
LONG_KEY = re.compile(r"""(?<![\w"'.-])(?:[\w"'-]+[ \t]*\.[ \t]*){500}""")


class InvalidJob(UserError):
    """The mistakes in a job, by the paths of its keys; those of no key have an empty one."""

    def __init__(self, found: Mapping[KeyPath, str]) -> None:
        self.found = found
        self.lines = lines_of(found)
        super().__init__("\n".join(self.lines))


def read(path: str | Path, overrides: Sequence[str] = ()) -> Job:
    """Read a job file; raises UserError with all of its mistakes, each with its line.

    Overrides replace values: "player.NAME.simulations=500".
    """
    refuse_results(path)
    try:
        text = read_bytes(path, MAX_BYTES).decode()
    except OSError as error:
        raise UserError(f"{path}: {error.strerror}") from None
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise UserError(f"{path}: not in UTF-8 (at line {line})") from None
    try:
        return read_text(text, overrides)
    except InvalidJob as error:
        raise UserError(places.told(str(path), error.found, text, overrides)) from None


def refuse_results(path: str | Path) -> None:
    """Refuse a file of results, which is easily named in place of its job; raises UserError."""
    if is_hdf5(path):
        raise UserError(
            f"{path}: a file of results, must be a job, a .toml file: mcts-cluster run JOB "
            f"-o {path} continues it, mcts-cluster show {path} prints what is in it"
        )


def read_text(
    text: str, overrides: Sequence[str] = (), kept: Mapping[str, Any] | None = None
) -> Job:
    """Read the text of a job file; raises InvalidJob, and UserError for an override.

    With the settings that its results have kept, files that it names are taken from these, and no
    file is opened.
    """
    tables = overridden(text, overrides)
    files = nullcontext() if kept is None else in_place_of_files(kept_files(tables, kept))
    with files:
        return replace(parse(tables), text=text, overrides=tuple(overrides))


def overridden(text: str, overrides: Sequence[str]) -> dict[str, Any]:
    """Return the tables of a job with other values; raises InvalidJob and UserError."""
    job = tables_of(text)
    for one in overrides:
        job = override(job, one)
    return job


def tables_of(text: str) -> dict[str, Any]:
    """Parse TOML; raises InvalidJob."""
    if LONG_KEY.search(text):
        raise InvalidJob({(): "tables are nested too deeply"})
    try:
        return tomllib.loads(text.replace("\r\n", "\n"))
    except RecursionError:
        raise InvalidJob({(): "tables or lists are nested too deeply"}) from None
    # A TOMLDecodeError, or a number of too many digits.
    except ValueError as error:
        raise InvalidJob({(): str(error)}) from None


def parse(job: Mapping[str, Any]) -> Job:
    """Turn tables into a Job; raises InvalidJob."""
    try:
        return read_tables(job)
    except TooManyMistakes as error:
        raise InvalidJob(error.found) from None


def read_tables(job: Mapping[str, Any]) -> Job:
    expansion = Expansion(job)
    mistakes = Mistakes()
    top = Table(expansion.job, (), mistakes)
    head = top.read(HEAD)
    game, settings = read_game(top.table("game"))
    kind = GAMES.get(game)
    players = {name: read_player(part, kind) for name, part in named_players(top)}
    setup = Setup(head["seed"], game, settings, players)
    experiment = read_experiment(top, setup, expansion)
    top.finish()
    if found := expansion.complaints(mistakes).found:
        raise InvalidJob(found)
    return Job(**head, game=game, settings=settings, players=players, experiment=experiment)


def named_players(top: Table) -> Iterator[tuple[str, Table]]:
    for name, part in top.tables("player"):
        if len(name) > MAX_CHARACTERS:
            part.complain(f"name of {len(name):,} characters, must be at most {MAX_CHARACTERS:,}")
        yield name, part


def read_game(table: Table) -> tuple[str, Mapping[str, Any]]:
    """Return the name of a game and its settings; no name where it is a mistake."""
    name = table.values.get(GAME.key, GAME.default)
    table.take(GAME)
    # The other keys are checked too, by the settings of the game that was probably meant.
    meant = name if name in list(GAMES) else closest(name, GAMES)
    if meant:
        settings = game_settings.read(meant, table)
        return (meant, settings) if meant == name else ("", {})
    known = [one for all_of in game_settings.SETTINGS.values() for one in all_of]
    for key in {one.key: None for one in known if one.key in table}:
        value = table.values.pop(key)
        wrong = [mistake(one, value) for one in known if one.key == key]
        if all(wrong):
            table.complain(wrong[0], key)
    table.known += [one.key for one in known]
    return "", {}


# The kinds of experiments


def read_matches(top: Table, setup: Setup, expansion: Expansion) -> Matches:
    matches: list[Match] = []
    keys: set[MatchKey] = set()
    for table in top.listed("match"):
        match = read_match(table, setup.players, expansion.players)
        # The same games would be counted twice.
        if match.key in keys:
            table.complain(f"{shown(str(match.key))} is there already, must be unique", "players")
        keys.add(match.key)
        matches.append(match)
    return Matches(tuple(matches))


def read_match(table: Table, players: Mapping[str, Player], written: Iterable[str]) -> Match:
    """Read a match; `written` are the names of the players that stand in the file."""
    values = table.read(declared(Match))
    names = values["key"]
    is_list_of_names = not table.is_mistaken("players")
    for index, name in enumerate(names):
        if name not in players:
            text = f"{shown(name)} is not a player{nearest(name, written)}"
            table.complain(text, "players", index)
    if is_list_of_names and len(names) != 2:
        table.complain("must be two names of players", "players")
    return Match(**values | {"key": MatchKey(*(*names, "", "")[:2])})


def read_races(top: Table, setup: Setup, _: Expansion) -> Experiment:
    table = top.table("campaign")
    return read_campaign(table, setup.players, setup.game, setup.settings, setup.seed)


# By the key of its table.
EXPERIMENTS: Mapping[str, Callable[[Table, Setup, Expansion], Experiment]] = {
    "match": read_matches,
    "campaign": read_races,
    "positions": lambda top, setup, expansion: read_positions(
        top.table("positions"), setup, expansion.budget_models
    ),
}


def read_experiment(top: Table, setup: Setup, expansion: Expansion) -> Experiment:
    """Return the experiment of a job, of which it has one."""
    found = [key for key in EXPERIMENTS if top.values.get(key) not in (None, [])]
    top.known += EXPERIMENTS
    if not found:
        top.values.pop("match", None)
        top.complain("missing, must be [[match]], [campaign] or [positions]", "match")
        return Matches(())
    for other in found[:-1]:
        top.drop(other, f"not allowed next to {found[-1]}: a job has one kind of experiment")
    return EXPERIMENTS[found[-1]](top, setup, expansion)
