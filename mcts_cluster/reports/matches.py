"""Matches in files: their rows, their table and their figure.

The other half is matches.Matches, which plays them.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import nan
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from mcts_cluster import games
from mcts_cluster.errors import UserError
from mcts_cluster.games import Game
from mcts_cluster.jobs import compatibility
from mcts_cluster.jobs.job import Job
from mcts_cluster.matches.experiment import Plan
from mcts_cluster.matches.game_record import GameRecord, by_structure
from mcts_cluster.matches.matches import Matches
from mcts_cluster.matches.portion import ALL, GAMES, Portion
from mcts_cluster.matches.schedule import Schedule
from mcts_cluster.matches.setup import MatchKey
from mcts_cluster.players.player import Player
from mcts_cluster.reports import estimates as estimates_of
from mcts_cluster.reports import match_plot
from mcts_cluster.reports.compare.figures import figure_of_all as figure_of_all
from mcts_cluster.reports.compare.one_half import by_color, visibility
from mcts_cluster.reports.comparison import Comparison, budget, core_hours, players_of
from mcts_cluster.reports.estimates import (
    Expected,
    MatchEstimate,
    estimate,
    estimates_table,
    memory_notes,
    one_by_one,
    seconds_of,
    total,
)
from mcts_cluster.reports.formats import Summary
from mcts_cluster.reports.match_table import (
    cells,
    headings,
    legend,
    lines,
    names_and_numbers,
    only_void,
    remarks,
    spare,
)
from mcts_cluster.reports.pictures import charts as charts_of
from mcts_cluster.reports.pictures.boards import Drawing
from mcts_cluster.reports.pictures.charts import Chart
from mcts_cluster.reports.runs import Progress, progress_lines
from mcts_cluster.reports.runs import progress as progress_of
from mcts_cluster.reports.speedup import Doublings, Worth, even_matches, worths
from mcts_cluster.settings.words import counted
from mcts_cluster.storage import results as stored
from mcts_cluster.storage.results import MatchRecord, Results
from mcts_cluster.storage.rows.match_sums import Found, tallies
from mcts_cluster.storage.table_sinks import TableSink
from mcts_cluster.success_rates import success

ITEM = "matches"
PLAYED = "game"
# Headings of columns by a curve of 2N simulations against N.
SPEED_UP, MACHINES = "speed-up", "equivalent machines"

# To play


def records(job: Job) -> tuple[MatchRecord, ...]:
    return tuple(
        record(job, match.key, match.games, match.published, match.opening)
        for match in experiment(job).matches
    )


def record(
    job: Job, key: MatchKey, games: int, published: str = "", opening: int = 0
) -> MatchRecord:
    """Return a row of /matches, with what can be the axis of a figure."""
    first, second = (axes(job.players[name]) for name in key.players)
    simulations, machines = (b or a for a, b in zip(first, second, strict=True))
    return MatchRecord(key, games, published, simulations, opening, machines)


def axes(player: Player) -> tuple[int, int]:
    """Return the simulations of a move and the machines of a player, 0 where it has none."""
    return player.simulations, player.machines


def experiment(job: Job) -> Matches:
    assert isinstance(job.experiment, Matches)
    return job.experiment


def tables(job: Job) -> dict[str, stored.GrowingTable]:
    return {}


def merged_tables(
    results: Results, parts: Mapping[Path, Results], whole: Path
) -> dict[str, stored.GrowingTable]:
    return {}


def differences(job: Job, results: Results) -> Sequence[str]:
    return ()


def plan(job: Job, results: Results, portion: Portion = ALL) -> Schedule:
    games = {match.key: match.games for match in experiment(job).matches}
    return scheduled(games, results, portion)


def scheduled(
    games: Mapping[MatchKey, int], results: Results, portion: Portion, noun: str = PLAYED
) -> Schedule:
    """Return the schedule of a portion; raises UserError where that has no game."""
    portion.check(GAMES)
    found = Schedule(games, results.outcomes(), portion, noun)
    if portion and not found.matches:
        most = max(games.values())
        raise UserError(f"{portion}: there are none, the longest match has {counted(most, noun)}")
    return found


class NoTables:
    """A recorder of an experiment without tables of its own."""

    def write(self, sink: TableSink) -> None:
        pass


def recorder(plan: Plan) -> NoTables:
    return NoTables()


def estimated(job: Job) -> list[MatchEstimate]:
    matches = {str(match.key): match for match in experiment(job).matches}
    seconds = seconds_of(len(matches))
    return [estimate(job, match, seconds) for match in one_by_one(matches, "pilot games of")]


def expected(job: Job) -> Expected:
    return estimates_of.expected(estimated(job))


def estimates(job: Job, workers: int) -> Iterator[RenderableType]:
    found = estimated(job)
    yield estimates_table(found)
    yield Text(total(found))
    yield Text(visibility(one.match.games for one in found))
    players = dict.fromkeys(name for one in found for name in one.match.players)
    yield from map(Text, memory_notes(job, players))


# To read


def standing(results: Results, pace: float) -> Iterator[RenderableType]:
    found = tallies(results.games)
    table = Table("match", box=None, pad_edge=False)
    for heading in ("games", "wanted", "success rate"):
        table.add_column(heading, justify="right", no_wrap=True)
    for match in results.matches:
        own = found[match.key]
        rate, error = success(own.points, own.games) if own.games else (nan, nan)
        text = f"{rate:.1f} ± {error:.1f} %" if own.games else ""
        row = (str(match.key), f"{own.games:,}", f"{match.games:,}", text)
        table.add_row(*map(Text, row))
    yield table
    yield from map(Text, progress_lines(results, pace))
    if not results.games.is_long:
        yield from map(Text, summary(results).notes)
        return
    # To compare millions of games with each other takes a while.
    yield from map(Text, void_games(results.matches, found))
    yield Text("`table` has remarks on the games")


def void_games(matches: Iterable[MatchRecord], found: Found) -> Iterator[str]:
    for match in matches:
        if void := found[match.key].void:
            yield f"{match.key}: {counted(void, 'void game')}, which do not count"


def summary(results: Results, curve: Doublings | None = None) -> Summary:
    found = lines(results.matches, results.rows)
    worth = worths(results, found, curve) if curve else {}
    game = games.GAMES.get(results.game)
    colors = game.players if game else ()
    heads = [*headings(found, colors), *worth_headings(worth.values())]
    return Summary(
        heads,
        [
            cells(
                line,
                heads,
                by_color(colors, (line.beginning, line.following))
                | worth_cells(worth.get(line.match)),
            )
            for line in found
        ],
        [
            *remarks(found),
            *even_matches(results, found),
            *only_void(results.matches, results.rows),
        ],
        legend(found),
        # Eighty columns hold no more.
        too_wide="plies" if "verdict" in heads or curve else "",
        spare=() if "verdict" in heads else [*spare(colors), *["LOS", "Elo"] * bool(curve)],
    )


def worth_headings(worth: Iterable[Worth]) -> list[str]:
    worth = list(worth)
    return [SPEED_UP] * bool(worth) + [MACHINES] * any(one.machines for one in worth)


def worth_cells(worth: Worth | None) -> dict[str, str]:
    """Return what a match is worth by a curve, by the headings."""
    if not worth:
        return {}
    found = {SPEED_UP: f"{worth.times:.2g} ({worth.low:.2g}–{worth.high:.2g})"}
    if worth.machines:
        equivalent, low, high = worth.equivalent
        found[MACHINES] = f"{equivalent:.2g} ({low:.2g}–{high:.2g}) of {worth.machines}"
    return found


def plain(results: Results, curve: Doublings | None = None) -> list[dict[str, Any]]:
    found = lines(results.matches, results.rows)
    if not curve:
        return list(map(names_and_numbers, found))
    worth = worths(results, found, curve)
    return [names_and_numbers(line) | worth_numbers(worth.get(line.match)) for line in found]


def worth_numbers(worth: Worth | None) -> dict[str, float | None]:
    names = ["speed_up", "speed_up_low", "speed_up_high"]
    names += [name.replace("speed_up", "equivalent_machines") for name in names]
    if not worth:
        return dict.fromkeys(names)
    times = (worth.times, worth.low, worth.high)
    machines = worth.equivalent if worth.machines else (None,) * 3
    numbers = (n if n is None else round(n, 4) for n in (*times, *machines))
    return dict(zip(names, numbers, strict=True))


def compared(results: Results) -> list[Comparison]:
    """Return the matches that name published figures, next to these."""
    names = {match.key: match.published for match in results.matches}
    players, spent = players_of(results), core_hours(results)
    found = []
    for line in lines(results.matches, results.rows):
        if line.published:
            theirs, ours, verdict = cells(line, ("published", "success rate", "verdict"))
            missing = f" of {line.wanted:,}" if line.games < line.wanted else ""
            found.append(
                Comparison(
                    names[line.match],
                    line.published.place,
                    theirs,
                    str(line.match),
                    ours,
                    f"{line.games:,}{missing}",
                    verdict,
                    budget(players, line.match.players),
                    spent[line.match],
                )
            )
    return found


def figure(results: Results, curve: Doublings | None) -> Any:
    found = lines(results.matches, results.rows)
    if not found:
        raise UserError("no game has been played yet")
    return (
        match_plot.drawn_times(results, found, curve) if curve else match_plot.drawn(results, found)
    )


def drawings(results: Results) -> tuple[Drawing, ...]:
    return ()


def charts(results: Results) -> list[Chart]:
    """Return the rate of each match over its games."""
    games = results.games
    curves = {key: charts_of.Curve(one.games) for key, one in tallies(games).items() if one.games}
    first = 0
    for match, points in games.parts("match", "points"):
        played = ~np.isnan(points)
        for number in np.unique(match[played]).tolist():
            places = np.flatnonzero(played & (match == number))
            curves[games.linked["match"][number]].add(points[places], first + int(places[-1]))
        first += len(match)
    return [Chart(str(key), one.points, last_row=one.last_row) for key, one in curves.items()]


def progress(results: Results, pace: float) -> list[Progress]:
    return progress_of(results, pace, PLAYED)


def counting(results: Results) -> Any:
    parts = results.games.parts("points")
    return np.concatenate([np.zeros(0, bool), *(~np.isnan(points) for [points] in parts)])


# As records


def beginning(results: Results, row: GameRecord) -> Game:
    settings = dict(compatibility.read(results.settings)["game"])
    return games.new(settings.pop("name"), **settings)


def properties(row: GameRecord, game: Game) -> dict[str, str]:
    first, second = row.match.players
    # In the order in which they move.
    pair = (first, second) if row.number % 2 == 0 else (second, first)
    colors = [color[0].upper() for color in game.core.players]
    names = {f"P{color}": player for color, player in zip(colors, pair, strict=True)}
    return {**names, "RE": result_of(row, game, colors)}


def result_of(row: GameRecord, game: Game, colors: list[str]) -> str:
    """Return the result as in records, with the margin where the area decided."""
    if row.points is None:
        return "Void"
    if row.points == 0.5:
        return "0"
    # The first player of the match begins in even games.
    winner = colors[0 if (row.points == 1) == (row.number % 2 == 0) else 1]
    if row.how == "rules" or by_structure(row.how):
        return winner
    margin = f"{abs(game.score()):g}" if row.how == "area" else ""
    return f"{winner}+{'R' if row.how == 'resigned' else margin}"
