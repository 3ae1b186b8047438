"""What a campaign's file tells beside its games: written as they come, read as they were."""

import io
import shutil
import sys
import time
from dataclasses import replace
from random import Random

import h5py
import pytest
from conftest import rest_in_proof
from crashes import crash_points, logged
from rich.console import Console, Group
from test_campaign_state import JOB, ONE, SEVERAL, THREE, campaign, in_order, played, row_of

from mcts_cluster.bgp.campaign_state import CampaignState
from mcts_cluster.bgp.mutations import Proposing
from mcts_cluster.errors import UserError
from mcts_cluster.jobs import compatibility, jobfile
from mcts_cluster.players import bias_patterns
from mcts_cluster.reports import campaigns, formats
from mcts_cluster.reports.table import table
from mcts_cluster.running.progress import View
from mcts_cluster.storage import campaign_tables, reader
from mcts_cluster.storage.campaign_writer import CampaignTablesWriter
from mcts_cluster.storage.integrity.snapshot import SUPERBLOCK
from mcts_cluster.storage.results import Results, RunRecord
from mcts_cluster.storage.table_sinks import TablesInMemory
from mcts_cluster.storage.writer import Writer, repair

SETTINGS = {
    "iterations": 9,
    "published": "",
    "candidates": [1],
    "total_risk": 0.0,
    "race": {"risk": 0.05, "lower": 0.55, "upper": 0.65},
}


def results(of, rows=(), settings=SETTINGS):
    return Results(
        title="a [campaign]",
        game="go",
        text="",
        overrides="",
        settings=compatibility.written(
            {"game": {"name": "go", "size": 5}, "player": {}, "campaign": settings}
        ),
        matches=(),
        rows=tuple(rows),
        runs=(RunRecord(0.0),),
        tables=campaign_tables.empty_tables(of),
        kind="campaign",
    )


def written(path, of, rows):
    """Write a campaign game by game, and leave the file as a kill would."""
    bgp = CampaignState(of)
    writer = Writer(path, results(of))
    tables_writer = CampaignTablesWriter(bgp)
    for number, row in enumerate(rows):
        bgp.fix(row)
        tables_writer.write(writer)
        writer.append([row])
        if number % 200 == 0:
            writer.flush()
    writer.flush()
    return bgp, writer


def in_memory(bgp, settings):
    """Return what the tables of a campaign would say."""
    tables = TablesInMemory()
    CampaignTablesWriter(bgp).write(tables)
    return campaign_tables.read(tables.tables, settings, bgp.played)


@pytest.fixture(params=[ONE, THREE, SEVERAL], ids=["one", "three", "several"])
def of(request):
    return request.param


@pytest.fixture
def rows(of):
    return list(played(CampaignState(of), 20, Random(1)))[:1500]


def test_the_file_has_what_the_campaign_has(of, rows, tmp_path):
    bgp, writer = written(tmp_path / "job.h5", of, rows)
    writer.close(0)

    read = campaign_tables.in_file(reader.read(tmp_path / "job.h5"))

    assert read == in_memory(bgp, SETTINGS)
    assert [record.match for record in read.candidates] == list(bgp.candidates)
    assert {e.match: e.counted for e in read.candidates if e.counted} == dict(bgp.counted)
    assert read.played == len(rows)
    assert [[one.match.place for one in v.accepted] for v in read.verdicts] == [
        list(race.accepted) for race in bgp.ended
    ]
    assert [v.iteration for v in read.verdicts] == [race.iteration for race in bgp.ended]


def test_games_know_their_candidates(of, rows, tmp_path):
    _, writer = written(tmp_path / "job.h5", of, rows)
    writer.close(0)

    read = reader.read(tmp_path / "job.h5")

    assert list(read.rows) == rows
    assert {match.key for match in read.matches} == {row.match for row in rows}
    with h5py.File(tmp_path / "job.h5") as file:
        assert file["candidates/games"][:].sum() == len(rows)


def test_a_file_that_a_kill_left_is_read_and_repaired(of, rows, tmp_path):
    path = tmp_path / "job.h5"
    bgp, writer = written(tmp_path / "open.h5", of, rows[:60])
    shutil.copy(writer.path, path)

    before = reader.read(path)
    assert not before.is_closed
    assert campaign_tables.in_file(before) == in_memory(bgp, SETTINGS)

    assert repair(path) == 60
    after = reader.read(path)
    assert campaign_tables.in_file(after) == campaign_tables.in_file(before)
    assert after.tables["candidates"].content == before.tables["candidates"].content
    assert after.rows == before.rows


def test_the_tables_of_a_continued_file_are_those_of_one_that_was_not_interrupted(
    of, rows, tmp_path
):
    path = tmp_path / "job.h5"
    tables = TablesInMemory()
    CampaignTablesWriter(CampaignState(of, rows)).write(tables)
    fresh = results(of, rows)

    Writer(path, replace(fresh, tables=tables.over(fresh.tables))).close(0)

    assert campaign_tables.in_file(reader.read(path)) == in_memory(
        CampaignState(of, rows), SETTINGS
    )
    assert list(reader.read(path).rows) == rows


def test_the_picture_of_a_candidate_is_its_patterns(of, rows, tmp_path):
    _, writer = written(tmp_path / "job.h5", of, rows)
    writer.close(0)

    read = reader.read(tmp_path / "job.h5")
    for number, record in enumerate(campaign_tables.in_file(read).candidates):
        mutation = of.mutation((record.iteration, record.candidate))
        assert bias_patterns.parse("\n".join(record.picture)) == list(mutation)
        cells = [cell for cell in read.tables["cells"].content if cell.candidate == number]
        [pattern] = mutation
        assert [(cell.dx, cell.dy, bias_patterns.KINDS[cell.kind]) for cell in cells] == list(
            pattern.cells
        )
        assert {cell.strength for cell in cells} == {pattern.strength}


def test_a_candidate_that_would_be_another_one_now_is_a_difference(of, rows, tmp_path):
    _, writer = written(tmp_path / "job.h5", of, rows)
    writer.close(0)
    read = reader.read(tmp_path / "job.h5")

    assert list(campaign_tables.differences(read, of)) == []
    latest = campaign_tables.in_file(read).candidates[-1].players[0]
    other = replace(of, seed=of.seed + 1)
    assert f"{latest}: the file has other patterns than this version proposes" in list(
        campaign_tables.differences(read, other)
    )


@pytest.fixture
def proposals(monkeypatch):
    """Return the list of the places that are proposed from now on, in campaigns that are read."""
    found = []
    propose = Proposing.propose

    def noted(proposing, path, number):
        found.append(number + 1)
        return propose(proposing, path, number)

    monkeypatch.setattr(Proposing, "propose", noted)
    return found


def test_only_those_are_proposed_again_that_play_again_and_the_latest(tmp_path, proposals):
    rows = in_order(CampaignState(ONE))
    sixth = next(number for number, row in enumerate(rows) if str(row.match) == "a+3+6 against a+3")
    for count, checked in ((sixth, {3, 5}), (sixth + 1, {3, 6}), (len(rows), {3, 7, 9})):
        path = tmp_path / f"{count}.h5"
        written(path, ONE, rows[:count])[1].close(0)
        proposals.clear()

        assert list(campaign_tables.differences(reader.read(path), campaign())) == []

        assert set(proposals) == checked


def test_an_accepted_mutation_that_would_be_another_one_now_is_a_difference(tmp_path):
    rows = in_order(CampaignState(ONE))
    written(tmp_path / "job.h5", ONE, rows)[1].close(0)

    found = list(
        campaign_tables.differences(reader.read(tmp_path / "job.h5"), replace(ONE, seed=77))
    )

    assert [line.split(":")[0] for line in found] == ["a+3", "a+3+7", "a+3+7+9"]


def test_a_campaign_that_continues_takes_its_mutations_from_the_file(tmp_path, proposals):
    rows = in_order(CampaignState(ONE))
    written(tmp_path / "job.h5", ONE, rows)[1].close(0)
    proposals.clear()

    job = jobfile.read_text(JOB)
    bgp = campaigns.plan(job, reader.read(tmp_path / "job.h5"))

    assert proposals == []
    assert {one.match.place: one.mutation for one in bgp.candidates.values()} == {
        (number, 1): ONE.mutation((number, 1)) for number in range(1, 10)
    }


def test_every_count_is_written_after_what_it_counts(of, rows, tmp_path, monkeypatch):
    """At any write of a file, what its counts say is there."""
    path = tmp_path / "job.h5"
    found = []
    sync = Writer.sync

    def looked_at(writer):
        sync(writer)
        if path.exists():
            read = reader.read(path)
            found.append(len(read.rows))
            told = campaign_tables.in_file(read)
            assert {row.match for row in read.rows} <= {record.match for record in told.candidates}

    monkeypatch.setattr(Writer, "sync", looked_at)
    written(path, of, rows[:40])

    assert found[-1] == 40


WRITE = """
import os, sys
from pathlib import Path
from test_campaign_tables import *
from mcts_cluster.storage import new_file
new_file.MIN_CHUNK = new_file.MIN_TABLE_CHUNK = 8
path, notes = Path(sys.argv[1]), os.open(sys.argv[2], os.O_WRONLY | os.O_CREAT)
bgp = CampaignState(ONE)
writer = Writer(path, results(ONE))
tables_writer = CampaignTablesWriter(bgp)
os.pwrite(notes, b"%09d" % 0, 0)
for number, row in enumerate(in_order(CampaignState(ONE))[300:480]):
    bgp.fix(row)
    tables_writer.write(writer)
    writer.append([row])
    if number % 60 == 59:
        writer.flush()
        os.pwrite(notes, b"%09d" % writer.written, 0)
writer.close(0)
"""


# Neighbours differ by one write; make proof tries each.
@pytest.mark.parametrize("step", rest_in_proof([1, 12], [12]))
def test_a_kill_at_no_moment_leaves_a_row_without_its_candidate(step, tmp_path, monkeypatch):
    words = [sys.executable, "-c", WRITE, tmp_path / "job.h5", tmp_path / "notes"]
    log = logged(tmp_path, words)
    monkeypatch.setattr(reader, "READ_ATTEMPTS", 1)
    images = {image: reported for image, reported in crash_points(log) if reported is not None}
    # None is shorter than it says, as one that was cut off.
    assert all(SUPERBLOCK.unpack(image[: SUPERBLOCK.size])[7] <= len(image) for image in images)
    crash, whole = tmp_path / "crash.h5", reader.read(tmp_path / "job.h5")
    every = campaign_tables.in_file(whole)

    for image, reported in list(images.items())[::step]:
        crash.write_bytes(image)
        found = reader.read(crash)
        assert len(found.rows) >= reported
        assert found.rows == whole.rows[: len(found.rows)]
        for name in found.tables:
            some = list(map(repr, found.tables[name].content))
            # Compared as texts: NaN is not equal to itself.
            assert some == list(map(repr, whole.tables[name].content))[: len(some)]
        told = campaign_tables.in_file(found)
        assert [record.match for record in told.candidates] == [
            record.match for record in every.candidates[: len(told.candidates)]
        ]
        # No candidate is taken for another one whose picture was not written yet.
        assert list(campaign_tables.differences(found, ONE)) == []
        for place, mutation in campaign_tables.proposed(found).items():
            assert mutation == ONE.mutation(place)

    assert set(images.values()) == {0, 60, 120, 180}
    assert len(images) > 100


def test_a_name_that_the_file_has_no_room_for_is_a_mistake(tmp_path):
    player = "x" * 1001
    read = jobfile.read_text(
        f"[player.{player}]\nsimulations = 2\n[campaign]\nplayer = '{player}'\niterations = 1"
    )
    bgp = CampaignState(read.experiment)
    bgp.fix(row_of(bgp.issue()))

    with pytest.raises(UserError, match=r"^xxx.*: a name of more than 1000 bytes$"):
        CampaignTablesWriter(bgp).write(TablesInMemory())


def master_seconds(path, of, workers=64):
    """Return the games of a campaign, and the CPU seconds that its master spent on all of them."""
    bgp, under_way, moves = CampaignState(of), [], tuple(range(60))
    spent = -time.process_time()
    writer = Writer(path, results(of))
    tables_writer, view = (
        CampaignTablesWriter(bgp),
        View(bgp, Console(file=io.StringIO())),
    )
    while not bgp.is_complete:
        while len(under_way) < workers and (task := bgp.issue()):
            under_way.append(task)
        spent += time.process_time()
        row = replace(row_of(under_way.pop(0)), moves=moves)
        spent -= time.process_time()
        bgp.fix(row)
        tables_writer.write(writer)
        writer.append([row])
        view.fixed()
        if bgp.played % 1000 == 0:
            writer.flush()
    writer.close(0)
    return bgp.played, spent + time.process_time()


def test_a_master_writes_all_that_it_was_given(of, tmp_path):
    games, seconds = master_seconds(tmp_path / "job.h5", of)

    assert len(reader.read(tmp_path / "job.h5").rows) == games
    assert seconds > 0


# What is told of it


def shown(what):
    console = Console(width=120, color_system=None)
    with console.capture() as capture:
        console.print(what)
    return capture.get()


def told(of=ONE, count=10**6, **settings):
    bgp = CampaignState(of)
    for row, _ in zip(in_order(CampaignState(of)), range(count), strict=False):
        bgp.fix(row)
    return in_memory(bgp, SETTINGS | settings)


def test_a_table_has_a_line_a_candidate_with_an_honest_interval_and_the_last_bounds():
    summary = campaigns.summary_of(told())
    lines = shown(formats.text(summary, summary.notes, "a [title]")).splitlines()

    assert lines[0].rstrip() == "a [title]"
    cells = [[cell.strip() for cell in line.split("│")][1:-1] for line in lines if "│" in line]
    assert [line[:4] for line in cells][:3] == [
        ["1", "a+1", "discarded", "320"],
        ["2", "a+2", "discarded", "80"],
        ["3", "a+3", "accepted", "40"],
    ]
    for _, _, verdict, _, rate, interval, bounds in cells:
        rate = float(rate.split()[0])
        low, high = map(float, interval.split("–"))
        lower, upper = map(float, bounds.split("–"))
        assert low <= rate <= high
        assert lower > 55 if verdict == "accepted" else upper < 65
    assert "9 of 9 races finished, 2 mutations accepted in races 3, 7" in lines
    assert "risk of error so far: at most 0.45, 0.05 a race" in lines


def test_what_was_published_stands_beside():
    said = list(campaigns.notes(told(published="without_database_19x19")))

    assert said[1] == (
        "published: 443 races, 10 mutations accepted in races "
        "16, 22, 31, 57, 100, 127, 136, 260, 285, 331"
    )
    assert said[2] == (
        "published in the short version: 127 races, 6 mutations accepted in races "
        "16, 22, 31, 57, 100, 127"
    )
    assert "short version" not in " ".join(campaigns.notes(told(published="bad_shapes_9x9")))


def test_games_that_do_not_count_are_told():
    bgp = CampaignState(ONE)
    list(played(bgp, 64, Random(1)))

    said = list(campaigns.notes(in_memory(bgp, SETTINGS)))

    assert said[1] == f"2,280 games count, {bgp.played - 2280:,} do not"


def test_rows_say_whether_they_count(tmp_path):
    bgp = CampaignState(ONE)
    rows = list(played(bgp, 64, Random(1)))
    written(tmp_path / "job.h5", ONE, rows)[1].close(0)

    counts = campaigns.counting(reader.read(tmp_path / "job.h5"))

    assert len(counts) == bgp.played and sum(counts) == 2280
    told = in_memory(bgp, SETTINGS)
    record = max(told.candidates, key=lambda record: record.counted)
    found = [c for c, row in zip(counts, rows, strict=True) if row.match == record.match]
    assert sum(found) == record.counted


def test_a_campaign_under_way_is_told_with_the_race_that_it_is_in():
    text = shown(Group(*campaigns.state(told(count=430))))

    assert "2 of 9 races finished, 0 mutations accepted" in text
    assert "race 3: a+3 against a, 20 games, " in text
    # A race that has looked may have erred, whatever becomes of it.
    assert "risk of error so far: at most 0.15, 0.05 a race" in text


def test_all_winners_of_a_race_are_told():
    read = told(SEVERAL)

    assert "9 of 9 races finished, 3 mutations accepted in races 3, 7" in campaigns.notes(read)
    # Each was tried against the same baseline.
    assert sorted(record.players[0] for record in read.accepted) == [
        "a+3.1",
        "a+3.1+7.1",
        "a+3.1+7.3",
    ]
    text = shown(Group(*campaigns.state(read)))
    assert text.count("games of race 7\n    pattern 7.") == 2
    verdicts = [campaigns.names_and_numbers(record)["verdict"] for record in read.raced]
    assert verdicts.count("accepted") == 3


def test_a_winner_of_a_race_under_way_is_told():
    bgp = CampaignState(SEVERAL)
    while not bgp.front.race.accepted:
        bgp.fix(row_of(bgp.issue()))
    read = in_memory(bgp, SETTINGS)

    text = shown(Group(*campaigns.state(read)))

    assert "2 of 9 races finished, 0 mutations accepted" in text
    games = read.under_way[0].counted
    assert f"race 3: a+3.1 is accepted after {games:,} games\n" in text
    assert "race 3: a+3.1 against a" not in text
    assert bgp.standing().startswith("1 accepted, 3.")


def test_an_accepted_mutation_is_drawn():
    text = shown(Group(*campaigns.state(told())))

    assert "after 40 games of race 3\n    pattern 3\n    strength = 0.1\n" in text
    assert " * " in text


def test_nothing_to_tell_is_told():
    text = shown(Group(*campaigns.state(told(count=0))))

    assert text == "0 of 9 races finished, 0 mutations accepted\n0 games count\n"


@pytest.fixture(scope="module")
def complete(tmp_path_factory):
    path = tmp_path_factory.mktemp("complete") / "job.h5"
    bgp, writer = written(path, ONE, in_order(CampaignState(ONE)))
    writer.close(0)
    assert bgp.is_complete
    return reader.read(path)


def test_silx_plots_it(tmp_path):
    reason = "no silx here: pip install '.[viewer]'"
    nxdata = pytest.importorskip("silx.io.nxdata", reason=reason)
    _, writer = written(tmp_path / "job.h5", ONE, in_order(CampaignState(ONE)))
    writer.close(0)

    with h5py.File(tmp_path / "job.h5") as file:
        plot = nxdata.get_default(file)
        assert plot.is_valid
        assert plot.axes[0][()].tolist() == file["candidates/iteration"][:].tolist()
        assert plot.signal[()].tolist() == file["candidates/success_rate"][:].tolist()
        assert plot.errors is not None


def test_viewers_find_its_candidates_by_links(tmp_path):
    _, writer = written(tmp_path / "job.h5", ONE, in_order(CampaignState(ONE)))
    writer.close(0)

    with h5py.File(tmp_path / "job.h5") as file:
        plot = file["entry/plot"]
        assert (file.attrs["default"], file["entry"].attrs["default"]) == ("entry", "plot")
        assert (plot.attrs["signal"], plot.attrs["axes"]) == ("success_rate", "iteration")
        for name in ("success_rate", "success_rate_errors", "iteration"):
            assert plot[name] == file[f"candidates/{name}"]


def test_it_breaks_no_rule_of_nexus(tmp_path):
    reason = "no nexusformat here: pip install '.[viewer]'"
    validate = pytest.importorskip("nexusformat.nexus.validate", reason=reason)
    _, writer = written(tmp_path / "job.h5", ONE, in_order(CampaignState(ONE)))
    writer.close(0)

    _, errors = validate.validate_file(str(tmp_path / "job.h5"))

    assert errors == 0


@pytest.mark.parametrize("form", ["text", "markdown", "csv", "latex", "json"])
def test_every_form_of_a_table_has_all_candidates(form, complete):
    text = table(complete, form)

    text = text if isinstance(text, str) else shown(text)
    assert all(text.count(f"a+3+7+{n}") >= 1 for n in (8, 9))
    assert text.count("discarded") == 7


def test_shadows_are_told_with_their_verdicts():
    [first, *_] = [campaigns.names_and_numbers(record) for record in told(THREE).raced]

    assert set(first["shadows"]) == {"paper-1"}
    assert first["shadows"]["paper-1"]["verdict"] in ("", "accepted", "discarded")


def test_what_shadows_would_have_said_is_summed_up():
    of_three = told(THREE)
    shadows = [
        campaigns.names_and_numbers(record)["shadows"]["paper-1"] for record in of_three.raced
    ]
    games = sum(shadow["games"] for shadow in shadows)
    count = {
        verdict: sum(shadow["verdict"] == verdict for shadow in shadows)
        for verdict in ("accepted", "discarded", "")
    }

    assert list(campaigns.notes(of_three))[-1] == (
        f"shadow rule paper-1: {count['accepted']} accepted, {count['discarded']} discarded, "
        f"{count['']} undecided, {games:,} games"
    )
    assert min(count.values()) > 0


def test_a_correlation_is_told_of_each_candidate():
    records = told().raced

    assert [campaigns.names_and_numbers(record)["correlation"] for record in records] == [
        round(record.estimates[-1].correlation, 6) for record in records
    ]


def test_a_correlation_that_is_not_known_is_not_told():
    bgp = CampaignState(ONE)
    while not bgp.batches:
        bgp.fix(row_of(bgp.issue(), 1.0))
    [record] = in_memory(bgp, SETTINGS).candidates

    assert record.estimates[-1].correlation is None
    assert not any("correlation" in line for line in campaigns.notes(in_memory(bgp, SETTINGS)))
