"""Positions in files: how often each player finds a good move at each of them.

The other half is positions.Positions, which has the moves chosen.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import mean
from typing import Any

from rich.console import RenderableType
from rich.text import Text

from mcts_cluster.errors import UserError
from mcts_cluster.games import Game
from mcts_cluster.jobs import compatibility
from mcts_cluster.jobs.job import Job
from mcts_cluster.matches.game_record import GameRecord
from mcts_cluster.matches.portion import ALL, Portion
from mcts_cluster.matches.schedule import Schedule
from mcts_cluster.matches.setup import Match, MatchKey
from mcts_cluster.positions.position import PositionKey
from mcts_cluster.positions.positions import Positions, position_in
from mcts_cluster.reports import estimates as estimates_of
from mcts_cluster.reports import matches
from mcts_cluster.reports.compare.figures import figure_of_all as figure_of_all
from mcts_cluster.reports.estimates import (
    Expected,
    MatchEstimate,
    memory_notes,
    move_seconds,
    one_by_one,
    seconds_of,
    times,
    total,
)
from mcts_cluster.reports.formats import Summary, fitting
from mcts_cluster.reports.match_table import MatchSummary, lines, names_and_numbers
from mcts_cluster.reports.match_table import cells as match_cells
from mcts_cluster.reports.pictures import boards
from mcts_cluster.reports.pictures.boards import Drawing
from mcts_cluster.reports.pictures.charts import Chart
from mcts_cluster.reports.pictures.figures import name_places, new_figure, words
from mcts_cluster.reports.runs import Progress, progress_lines
from mcts_cluster.reports.runs import progress as progress_of
from mcts_cluster.reports.speedup import Doublings
from mcts_cluster.storage.results import MatchRecord, Results
from mcts_cluster.success_rates import success, wilson

ITEM = "positions"
PLAYED = "move"
# Positions at which `check` has moves chosen.
MAX_SAMPLE = 4
# Of a table next to published figures.
HEADINGS = ["position", "player", "good moves", "runs", "published", "verdict"]

# Nothing is written next to the runs.
tables, merged_tables, recorder = matches.tables, matches.merged_tables, matches.recorder
differences = matches.differences
counting, compared = matches.counting, matches.compared


@dataclass(frozen=True)
class GoodMoves:
    """A player at a position; the share of good moves, its error and interval in percent."""

    key: MatchKey
    simulations: int
    wanted: int
    runs: int
    void: int
    good: float
    error: float
    low: float
    high: float
    most_chosen: str

    @property
    def share(self) -> str:
        return f"{self.good:.1f} ± {self.error:.1f} %"


# To play


def records(job: Job) -> tuple[MatchRecord, ...]:
    experiment = experiment_of(job)
    found = []
    for key in experiment.keys:
        simulations, machines = matches.axes(job.players[key.first])
        published = experiment.published.get(key, "")
        found.append(
            MatchRecord(key, experiment.runs, published, simulations=simulations, machines=machines)
        )
    return tuple(found)


def experiment_of(job: Job) -> Positions:
    assert isinstance(job.experiment, Positions)
    return job.experiment


def plan(job: Job, results: Results, portion: Portion = ALL) -> Schedule:
    experiment = experiment_of(job)
    runs: dict[MatchKey, int] = dict.fromkeys(experiment.keys, experiment.runs)
    return matches.scheduled(runs, results, portion, PLAYED)


def estimated(job: Job) -> list[MatchEstimate]:
    """Return an estimate for each player, by moves at some of the positions."""
    experiment = experiment_of(job)
    names = [position.name for position in experiment.positions]
    sample = names[:: -(-len(names) // MAX_SAMPLE)]
    players = {entrant.player: entrant.player for entrant in experiment.entrants}
    limit, found = seconds_of(len(players)) / len(sample), []
    for name in one_by_one(players, "moves of"):
        games = (experiment.run(job, PositionKey(name, place), 0).game for place in sample)
        seconds = mean(move_seconds(job.players[name], game, limit) for game in games)
        moves = Match(PositionKey(name, ""), experiment.runs * len(names))
        found.append(MatchEstimate(moves, 1, seconds))
    return found


def expected(job: Job) -> Expected:
    return estimates_of.expected(estimated(job))


def estimates(job: Job, workers: int) -> Iterator[RenderableType]:
    found = estimated(job)
    rows = [[one.match.key.first, f"{one.match.games:,}", *times(one)] for one in found]
    yield fitting(["player", "moves", "a move", "all moves"], rows)
    yield Text(total(found, PLAYED))
    yield from map(Text, memory_notes(job, dict.fromkeys(one.match.key.first for one in found)))


# To read


def cells(results: Results) -> list[GoodMoves]:
    """Return the cells with a finished run, in the order of the job."""
    of_cell: dict[MatchKey, list[GameRecord]] = {match.key: [] for match in results.matches}
    for row in results.rows:
        of_cell[row.match].append(row)
    found = (cell_of(results, match, of_cell[match.key]) for match in results.matches)
    return [cell for cell in found if cell]


def cell_of(results: Results, match: MatchRecord, rows: Sequence[GameRecord]) -> GoodMoves | None:
    played = [row for row in rows if row.points is not None]
    if not played:
        return None
    points = sum(row.points or 0 for row in played)
    core = beginning(results, played[0]).core
    names = Counter(core.name(row.moves[0]) if row.moves else row.how for row in played)
    return GoodMoves(
        match.key,
        match.simulations,
        match.games,
        len(played),
        len(rows) - len(played),
        *success(points, len(played)),
        *wilson(points, len(played)),
        most_chosen=names.most_common(1)[0][0],
    )


def summary(results: Results, curve: Doublings | None = None) -> Summary:
    """Return a table with a line a position and a column a player.

    Next to published figures it has a line for each player at each position.
    """
    refuse(curve)
    found = cells(results)
    if any(match.published for match in results.matches):
        return Summary(HEADINGS, list(next_to_published(results)), list(notes(results, found)))
    shares = {cell.key: cell.share for cell in found}
    positions = list(dict.fromkeys(match.key.second for match in results.matches))
    players = list(dict.fromkeys(match.key.first for match in results.matches))
    rows = [
        [name, *(shares.get(PositionKey(player, name), "") for player in players)]
        for name in positions
    ]
    return Summary(["position", *players], rows if found else [], list(notes(results, found)))


def next_to_published(results: Results) -> Iterator[list[str]]:
    for line in lines(results.matches, results.rows):
        numbers = match_cells(line, ("success rate", "games", "published", "verdict"))
        yield [line.match.second, line.match.first, *numbers]


def notes(results: Results, found: Sequence[GoodMoves]) -> Iterator[str]:
    for cell in found:
        if cell.void:
            yield f"{cell.key}: {cell.void} void runs, which do not count"
    known = {cell.key for cell in found}
    for match in results.matches:
        void = [row for row in results.rows if row.match == match.key and match.key not in known]
        if void:
            yield f"{match.key}: {len(void)} void runs, and no other; the last: {void[-1].how}"


def standing(results: Results, pace: float) -> Iterator[RenderableType]:
    read = summary(results)
    yield fitting(read.headings, read.rows)
    yield from map(Text, progress_lines(results, pace, PLAYED))
    yield from map(Text, read.notes)


def plain(results: Results, curve: Doublings | None = None) -> list[dict[str, Any]]:
    refuse(curve)
    models = described(results)["positions"]["players"]
    theirs = {line.match: line for line in lines(results.matches, results.rows)}
    compares = any(match.published for match in results.matches)
    return [
        {
            "position": cell.key.second,
            "player": cell.key.first,
            "model": models[cell.key.first],
            "simulations": cell.simulations,
            "wanted": cell.wanted,
            "runs": cell.runs,
            "void": cell.void,
            "good_moves": round(cell.good, 4),
            "standard_error": round(cell.error, 4),
            "wilson_low": round(cell.low, 4),
            "wilson_high": round(cell.high, 4),
            "most_chosen": cell.most_chosen,
            **(published_numbers(theirs[cell.key]) if compares else {}),
        }
        for cell in cells(results)
    ]


def published_numbers(line: MatchSummary) -> dict[str, Any]:
    read = names_and_numbers(line)
    return {key: read[key] for key in ("published_rate", "published_error", "verdict")}


def figure(results: Results, curve: Doublings | None) -> Any:
    """Draw the share of good moves over simulations: a curve for each player at each position.

    Several positions and players have a panel a player, with a curve a position.
    """
    refuse(curve)
    found = cells(results)
    if not found:
        raise UserError("no run has finished yet")
    drawn = new_figure()
    is_axis = len({cell.simulations for cell in found} - {0}) > 1
    parts = panels(results, found) if is_axis else {"": found}
    panes = drawn.subplots(1, len(parts), sharey=True, squeeze=False)[0]
    for axes, (name, part) in zip(panes, parts.items(), strict=True):
        draw(axes, results, part, is_axis, name)
    drawn.set_size_inches(max(drawn.get_figwidth(), 3.6 * len(parts) + 2.4), drawn.get_figheight())
    panes[0].set_ylabel("good moves, %\n(bars: one standard error)")
    if len(parts) > 1:
        drawn.suptitle(words(results.title))
        panes[-1].legend(fontsize=7, loc="center left", bbox_to_anchor=(1.02, 0.5))
    else:
        panes[0].set_title(words(results.title))
        panes[0].legend(fontsize=8)
    return drawn


def panels(results: Results, found: Sequence[GoodMoves]) -> dict[str, list[GoodMoves]]:
    """Return the cells of each panel by its title."""
    models = described(results)["positions"]["players"]
    if len({cell.key.second for cell in found}) == 1:
        return {"": list(found)}
    parts: dict[str, list[GoodMoves]] = {}
    for cell in found:
        parts.setdefault(models[cell.key.first], []).append(cell)
    return parts if len(parts) > 1 else {"": list(found)}


def draw(
    axes: Any, results: Results, found: Sequence[GoodMoves], is_axis: bool, title: str
) -> None:
    """Draw the curves of a panel; those of one with a title are named after positions."""
    places = list(dict.fromkeys(cell.key.first for cell in found))
    for number, (name, part) in enumerate(curves(results, found, is_axis).items()):
        x = [c.simulations if is_axis else places.index(c.key.first) for c in part]
        good, errors = [c.good for c in part], [c.error for c in part]
        line = ("-", "--", ":", "-.")[number // 10 % 4] if is_axis else "none"
        label = words(part[0].key.second if title else name)
        axes.errorbar(x, good, errors, linestyle=line, marker="o", capsize=3, label=label)
    if is_axis:
        axes.set_xscale("log")
        axes.set_xlabel("simulations a move")
    else:
        name_places(axes, range(len(places)), places)
    axes.set_ylim(-2, 102)
    axes.set_title(words(title))


def refuse(curve: Doublings | None) -> None:
    if curve:
        raise UserError("--doublings: a file of positions, must be one of matches")


def curves(
    results: Results, found: Sequence[GoodMoves], is_axis: bool
) -> dict[str, list[GoodMoves]]:
    """Return the cells of each curve by its name; without an axis, those of each position."""
    models = described(results)["positions"]["players"]
    by_name: dict[str, list[GoodMoves]] = {}
    for cell in sorted(found, key=lambda cell: cell.simulations) if is_axis else found:
        model = PositionKey(models[cell.key.first], cell.key.second)
        by_name.setdefault(str(model) if is_axis else cell.key.second, []).append(cell)
    return by_name


def drawings(results: Results) -> Iterator[Drawing]:
    """Yield each position with rings around its good moves, and what was chosen most there."""
    read = described(results)
    found = cells(results)
    for name, fields in read["positions"]["positions"].items():
        position = position_in(read, name)
        core = position.game(read["game"]).core
        good = ", ".join(position.good_moves)
        words = f"{name}: {position.to_play} to play, good moves: {good}"
        board = boards.position(core, words, map(core.number, position.good_moves))
        chosen = [
            f"{cell.key.first} chose {cell.most_chosen} most, a good move in {cell.share}"
            for cell in found
            if cell.key.second == name
        ]
        notes = [f"{position.to_play} to play; good: {good}", fields.get("proof", "")]
        yield Drawing(name, [board], [note for note in notes if note], choices=chosen)


def charts(results: Results) -> list[Chart]:
    return [replace(one, noun=PLAYED) for one in matches.charts(results)]


def progress(results: Results, pace: float) -> list[Progress]:
    return progress_of(results, pace, PLAYED)


# As records


def described(results: Results) -> dict[str, Any]:
    return compatibility.read(results.settings)


def beginning(results: Results, row: GameRecord) -> Game:
    read = described(results)
    return position_in(read, row.match.second).game(read["game"])


def properties(row: GameRecord, game: Game) -> Mapping[str, str]:
    color = game.start.players[game.start.to_play - 1][0].upper()
    return {f"P{color}": row.match.first, "GN": row.match.second}
