"""Reports of campaigns: their races, the accepted mutations, the risk of error.

The mean of a candidate has an interval that is valid although the results stopped the race; the
bounds are those of the last look of the stopping rule.
"""

import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import RenderableType
from rich.text import Text

from mcts_cluster import published
from mcts_cluster.bgp import versions
from mcts_cluster.bgp.campaign import Campaign
from mcts_cluster.bgp.campaign_state import CampaignState
from mcts_cluster.bgp.mutations import Mutation
from mcts_cluster.bgp.versions import Place
from mcts_cluster.errors import UserError
from mcts_cluster.jobs import compatibility
from mcts_cluster.jobs.job import Job
from mcts_cluster.matches.experiment import Plan
from mcts_cluster.matches.portion import ALL, RACES, Portion
from mcts_cluster.published import PublishedCampaign
from mcts_cluster.reports import campaign_forecast, campaign_plot, matches
from mcts_cluster.reports.comparison import Comparison, budget, core_hours, players_of
from mcts_cluster.reports.estimates import (
    Expected,
    MatchEstimate,
    estimate,
    game_time,
    memory_notes,
)
from mcts_cluster.reports.formats import Summary
from mcts_cluster.reports.pictures import campaign_pictures as pictures
from mcts_cluster.reports.pictures.figures import new_figure
from mcts_cluster.reports.speedup import Doublings
from mcts_cluster.settings.words import counted
from mcts_cluster.storage import campaign_tables
from mcts_cluster.storage.campaign_rows import LookRecord
from mcts_cluster.storage.campaign_tables import CampaignTables, CandidateRecord, RaceRecord
from mcts_cluster.storage.campaign_writer import CampaignTablesWriter
from mcts_cluster.storage.kept_job import job_of
from mcts_cluster.storage.results import GrowingTable, MatchRecord, Results
from mcts_cluster.storage.table_sinks import TablesInMemory

HEADINGS = ("race", "candidate", "verdict", "games", "success rate", "interval", "bounds")
ITEM = "candidates"
PLAYED = matches.PLAYED

# Its games are those of any match.
beginning, properties = matches.beginning, matches.properties
figure_of_all = campaign_plot.drawn_together
drawings, charts, progress = pictures.drawings, pictures.charts, pictures.progress


# To play


def records(job: Job) -> tuple[MatchRecord, ...]:
    return ()


def experiment(job: Job) -> Campaign:
    assert isinstance(job.experiment, Campaign)
    return job.experiment


def tables(job: Job) -> dict[str, GrowingTable]:
    return campaign_tables.empty_tables(experiment(job))


def differences(job: Job, results: Results) -> Iterator[str]:
    return campaign_tables.differences(results, experiment(job))


def plan(job: Job, results: Results, portion: Portion = ALL) -> CampaignState:
    portion.check(RACES)
    campaign = experiment(job)
    races = portion.races(campaign.iterations)
    if not races:
        many = counted(campaign.iterations, "race")
        raise UserError(f"{portion}: there are none, the campaign has {many}")
    known = campaign_tables.proposed(results)
    return CampaignState(campaign, results.outcomes(), known=known, races=races)


def merged_tables(
    results: Results, parts: Mapping[Path, Results], whole: Path
) -> dict[str, GrowingTable]:
    """Return the tables that follow from the games of all files, each with its own mutations."""
    job = job_of(results, whole)
    for line in compatibility.differences(compatibility.read(results.settings), job):
        raise UserError(f"{whole}: this version plays another job: {line}")
    state = CampaignState(experiment(job), results.outcomes(), known=mutations(parts))
    sink = TablesInMemory()
    CampaignTablesWriter(state).write(sink)
    return sink.over(tables(job))


def mutations(parts: Mapping[Path, Results]) -> dict[Place, Mutation]:
    """Return the mutations of which some files have games; raises UserError where two differ."""
    known: dict[Place, tuple[Path, Mutation]] = {}
    for path, results in parts.items():
        for place, mutation in campaign_tables.proposed(results).items():
            first, of_first = known.setdefault(place, (path, mutation))
            if mutation != of_first:
                which = "candidate {1} of race {0}".format(*place)
                raise UserError(f"{path}: {which} has other patterns than in {first}")
    return {place: mutation for place, (_, mutation) in known.items()}


def recorder(plan: Plan) -> CampaignTablesWriter:
    assert isinstance(plan, CampaignState)
    return CampaignTablesWriter(plan)


def a_game(job: Job) -> MatchEstimate:
    """Play pilot games of the first candidate, and return how long a game takes."""
    campaign = experiment(job)
    key = versions.key(campaign, ((1, 1),))
    players = campaign.players(job, key)
    return estimate(replace(job, players=players), versions.match_of(campaign, key))


def expected(job: Job) -> Expected:
    """Return what a campaign takes in which no mutation has an effect."""
    seconds = a_game(job).seconds
    return Expected(campaign_forecast.games(experiment(job)) * seconds, seconds)


def estimates(job: Job, workers: int) -> Iterator[RenderableType]:
    """Play pilot games of the first candidate, and yield how long races will take."""
    campaign, one = experiment(job), a_game(job)
    yield Text(f"a game: about {game_time(one.seconds)}, {one.plies} plies")
    for size in sorted({campaign.racing(n + 1) for n in range(campaign.iterations)}):
        for rule in campaign_forecast.rules(campaign.race):
            # As a table's title it would break where the table is narrow.
            yield Text(campaign_forecast.heading(size, rule))
            yield campaign_forecast.of_races(campaign, size, one.seconds, workers, rule)
    yield from map(Text, campaign_forecast.summary(campaign, one.seconds, workers))
    yield from map(Text, memory_notes(job, [campaign.player]))


# To read


def summary(results: Results, curve: Doublings | None = None) -> Summary:
    refuse(curve)
    return summary_of(campaign_tables.in_file(results))


def summary_of(read: CampaignTables) -> Summary:
    """Return a table with a line a candidate, and notes on the campaign."""
    return Summary(
        HEADINGS,
        list(map(cells, read.raced)),
        list(notes(read)),
        pictures=[
            (f"Accepted in race {record.iteration}:", "\n".join(record.picture))
            for record in read.accepted
        ],
    )


def plain(results: Results, curve: Doublings | None = None) -> list[dict[str, Any]]:
    refuse(curve)
    return list(map(names_and_numbers, campaign_tables.in_file(results).raced))


def compared(results: Results) -> list[Comparison]:
    """Return the mutations that a campaign has accepted, next to the published ones.

    There is no verdict: other thresholds accept other mutations.
    """
    read = campaign_tables.in_file(results)
    name = read.settings["published"]
    if not name or not results.rows:
        return []
    player = read.settings["player"]
    theirs, over = published.campaigns()[name], len(read.verdicts)
    races = f"{over:,}" if over == read.iterations else f"{over:,} of {read.iterations:,}"
    return [
        Comparison(
            f"bgp.{name}",
            theirs.place,
            accepted_in(theirs.validated, f"{theirs.iterations:,}"),
            f"candidates against {player}",
            accepted_in(len(read.accepted), races),
            f"{read.counted:,}",
            "",
            budget(players_of(results), [player]),
            sum(core_hours(results, player).values()),
        )
    ]


def accepted_in(count: int, races: str) -> str:
    return f"{counted(count, 'mutation')} in {races} races"


def figure(results: Results, curve: Doublings | None) -> Any:
    refuse(curve)
    read = campaign_tables.in_file(results)
    return campaign_plot.drawn(read, results.title, new_figure((7, 7)))


def refuse(curve: Doublings | None) -> None:
    if curve:
        raise UserError("--doublings: a file of a campaign, must be one of matches")


def counting(results: Results) -> Any:
    """Games that were played ahead and not needed do not count."""
    ends = {one.match: one.counted for one in campaign_tables.in_file(results).candidates}
    limits = np.array([ends.get(key, 0) for key in results.games.linked["match"]], dtype=np.int64)
    parts = results.games.parts("match", "number", "points")
    found = (~np.isnan(points) & (number < limits[match]) for match, number, points in parts)
    return np.concatenate([np.zeros(0, bool), *found])


def standing(results: Results, pace: float) -> Iterator[RenderableType]:
    yield from state(campaign_tables.in_file(results))
    if pace:
        yield Text(f"{3600 * pace:,.0f} games an hour")


def cells(record: CandidateRecord) -> list[str]:
    last, seen = record.estimates[-1], record.deciding_looks[-1]
    return [
        str(record.iteration),
        record.players[0],
        record.verdict or "undecided",
        f"{last.games:,}",
        f"{100 * last.mean:.1f} %",
        pictures.between(last.low, last.high),
        pictures.between(seen.lower, seen.upper),
    ]


def notes(read: CampaignTables) -> Iterator[str]:
    """Yield the accepted mutations, the published ones, the games and the risk."""
    over, of = len(read.verdicts), read.iterations
    races = "race" if of == 1 else "races"
    yield f"{over:,} of {of:,} {races} finished, {accepted(read.verdicts)}"
    if name := read.settings["published"]:
        theirs = published.campaigns()[name]
        yield f"published: {paper(theirs)}"
        if theirs.short:
            yield f"published in the short version: {paper(theirs.short)}"
    others = read.played - read.counted
    not_yet = ", or not yet" if over < of else ""
    yield f"{read.counted:,} games count" + (f", {others:,} do not{not_yet}" if others else "")
    if read.verdicts or read.current:
        nothing = ", which bounds nothing" * (read.spent >= 1)
        yield f"risk of error so far: at most {read.spent:.3g}{nothing}{limit(read)}"
    ends = [record.estimates[-1] for record in read.raced]
    known = [(one.games, one.correlation) for one in ends if one.correlation is not None]
    if known:
        games = sum(count for count, _ in known)
        mean = sum(count * correlation for count, correlation in known) / games
        yield f"correlation within pairs of games: {mean:.2f}"
    yield from shadow_rules(read)


def shadow_rules(read: CampaignTables) -> Iterator[str]:
    """Yield the verdicts of each shadow rule, and after how many games they came."""
    last_looks: dict[str, list[LookRecord]] = {}
    for record in read.raced:
        last = {look.rule: look for look in record.looks}
        del last[record.deciding_looks[0].rule]
        for rule, look in last.items():
            last_looks.setdefault(rule, []).append(look)
    for rule, looks in last_looks.items():
        counts = Counter(look.verdict or "undecided" for look in looks)
        verdicts = ", ".join(f"{count} {verdict}" for verdict, count in sorted(counts.items()))
        games = counted(sum(look.games for look in looks), "game")
        yield f"shadow rule {rule}: {verdicts}, {games}"


def accepted(verdicts: Sequence[RaceRecord]) -> str:
    """Return how many mutations were accepted, and in which races."""
    races = [str(verdict.iteration) for verdict in verdicts if verdict.accepted]
    count = sum(len(verdict.accepted) for verdict in verdicts)
    return acceptances(count, races)


def paper(campaign: PublishedCampaign) -> str:
    races = list(map(str, campaign.validated_at))
    return f"{campaign.iterations:,} races, {acceptances(campaign.validated, races)}"


def acceptances(count: int, races: Sequence[str]) -> str:
    accepted = f"{counted(count, 'mutation')} accepted"
    where = f" in {'race' if len(races) == 1 else 'races'} {', '.join(races)}"
    return accepted + (where if races else "")


def limit(read: CampaignTables) -> str:
    settings, total = read.risk_budget.settings, read.risk_budget.total
    # Of variant 3 the risk of a race is that of the campaign.
    most = total or (settings.risk if settings.divides_risk else 0.0)
    return f", of {most:g} for all races" if most else f", {settings.risk:g} a race"


def state(read: CampaignTables) -> list[Text]:
    """Return where a campaign stands: the race under way, and what was accepted so far."""
    lines = [Text(line) for line in notes(read)]
    if record := read.current:
        last, seen = record.estimates[-1], record.deciding_looks[-1]
        lines.append(
            Text(
                f"race {record.iteration}: {record.match}, {last.games:,} games, "
                f"{100 * last.mean:.1f} %, bounds {pictures.between(seen.lower, seen.upper)} "
                f"after {counted(seen.tests, 'look')}"
            )
        )
        lines += [
            Text(f"race {one.iteration}: {one.players[0]} is accepted after {one.counted:,} games")
            for one in read.under_way
            if one.verdict == "accepted"
        ]
    for verdict in read.verdicts:
        for one in verdict.accepted:
            when = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(verdict.ended))
            lines.append(Text(f"accepted {when} after {verdict.games:,} games of race "))
            lines[-1].append(str(verdict.iteration))
            lines += [Text(f"    {line}") for line in one.picture if line]
    return lines


def names_and_numbers(record: CandidateRecord) -> dict[str, Any]:
    """Return a candidate as names and numbers."""
    last, seen = record.estimates[-1], record.deciding_looks[-1]
    return {
        "iteration": record.iteration,
        "candidate": record.candidate,
        "first": record.players[0],
        "second": record.players[1],
        "verdict": record.verdict or "undecided",
        "games": last.games,
        "mean": round(last.mean, 6),
        "low": round(last.low, 6),
        "high": round(last.high, 6),
        "lower": round(seen.lower, 6),
        "upper": round(seen.upper, 6),
        "looks": seen.tests,
        "correlation": None if last.correlation is None else round(last.correlation, 6),
        "shadows": {
            look.rule: {"games": look.games, "verdict": look.verdict}
            for look in record.looks
            if look.rule != seen.rule
        },
    }
