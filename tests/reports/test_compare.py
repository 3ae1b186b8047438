"""Files side by side: rates and their differences, campaigns, settings, and what is refused."""

import csv
import io
import json
import shutil
from math import sqrt
from pathlib import Path

import pytest
from test_campaign_state import JOB, in_order

from mcts_cluster.__main__ import main
from mcts_cluster.bgp.campaign_state import CampaignState
from mcts_cluster.jobs import compatibility, jobfile
from mcts_cluster.matches.game_record import GameRecord, WorkerInfo
from mcts_cluster.matches.setup import MatchKey
from mcts_cluster.positions.position import PositionKey
from mcts_cluster.reports.kinds import KINDS
from mcts_cluster.storage import campaign_tables
from mcts_cluster.storage.campaign_writer import CampaignTablesWriter
from mcts_cluster.storage.results import MatchRecord, Results, RunRecord
from mcts_cluster.storage.writer import Writer

SHIPPED = Path(__file__).parents[2] / "results"
MATCHES = """
seed = {seed}
[game]
size = {size}
[player.a]
simulations = 4
rave = {rave}
[player.b]
simulations = 6
[player.c]
simulations = 8
[[match]]
players = ["a", "b"]
games = 400
[[match]]
players = ["{third}", "b"]
games = 400
[player.{third}]
simulations = 9
"""


def job_file(path, wins, *, text=MATCHES, version="1 abc", host="here", offset=0, **values):
    """Write a file of a job; of each match, by its players, so many wins of so many games."""
    values = {"seed": 1, "size": 5, "rave": 300, "third": "d"} | values
    job = jobfile.read_text(text.format(**values))
    keys = {match.key.players: match.key for match in job.experiment.matches}
    rows = [
        GameRecord(
            keys[players], n, float(n < won), "area", (n % 20, offset + n), worker=WorkerInfo(host)
        )
        for players, (won, games) in wins.items()
        for n in range(games)
    ]
    name, commit = version.split()
    results = Results(
        "a title",
        job.game,
        "",
        "",
        compatibility.written(compatibility.describe(job)),
        KINDS["matches"].records(job),
        tuple(rows),
        (RunRecord(0.0, version=name, commit=commit),),
    )
    Writer(path, results).close(0)
    return path


AB, DB = ("a", "b"), ("d", "b")


def compared(capsys, *words, form="json"):
    assert main(["compare", *map(str, words), "--format", form]) == 0
    out = capsys.readouterr().out
    return json.loads(out) if form == "json" else out


def refused(capsys, *words):
    assert main(["compare", *map(str, words)]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.count("\n") == 1
    return said.err.removeprefix("mcts-cluster: ").rstrip()


@pytest.fixture
def two(tmp_path):
    """Two files of a job with other seeds: one match differs, the other one does not."""
    wins = {AB: (200, 400), DB: (300, 400)}, {AB: (260, 400), DB: (296, 400)}
    first = job_file(tmp_path / "first.h5", wins[0])
    return first, job_file(tmp_path / "second.h5", wins[1], seed=2, offset=1000)


def test_rates_stand_side_by_side_with_their_difference_and_its_error(two, capsys):
    one, other = compared(capsys, *two)["rows"]

    assert (one["success_rate"], one["other_success_rate"]) == (50, 65)
    assert one["difference"] == 15
    # The errors of 50 and 65 % of 400 games are 2.500 and 2.386.
    assert one["difference_error"] == pytest.approx(sqrt(2.500**2 + 2.386**2), abs=0.001)
    assert one["verdict"] == "B higher by 15.0 ± 3.5 points"
    assert one["differs"]
    assert other["difference"] == -1
    assert (other["verdict"], other["differs"]) == ("no difference shown", False)


def test_the_first_file_may_have_the_higher_rate(two, capsys):
    one, _ = compared(capsys, *reversed(two))["rows"]

    assert one["verdict"] == "A higher by 15.0 ± 3.5 points"


def test_how_many_would_differ_by_chance_is_told(two, capsys):
    notes = compared(capsys, *two)["notes"]

    assert notes[0] == (
        "2 pairs of rates compared, 1 differ. If all were equal in truth, about 0.1 would differ "
        "by chance, at 95 %, and 1 or more in 9.8 % of cases."
    )
    # 1.96 + 0.84 errors of the difference of two rates near 57.5 and 74.5 % of 400 games each.
    assert notes[1] == (
        "So many games show differences of 8.6 to 9.8 points (at 95 %, four times in five)."
    )


def test_one_match_is_told_in_a_sentence(tmp_path, capsys):
    a = job_file(tmp_path / "a.h5", {AB: (10, 40)})
    b = job_file(tmp_path / "b.h5", {AB: (11, 40), DB: (1, 2)}, offset=1000)

    notes = compared(capsys, a, b)["notes"]

    assert notes[0] == "a against b: no difference shown."
    assert notes[-1] == "Only in B: d against b."


def test_of_equal_rates_one_in_twenty_differs():
    from random import Random

    from mcts_cluster.reports.compare.rates import Difference
    from mcts_cluster.reports.match_table import lines

    random = Random(1)
    match = MatchRecord(MatchKey("a", "b"), 100)

    def line(rate):
        points = [float(random.random() < rate) for _ in range(100)]
        rows = [GameRecord(match.key, n, p, "area", (n,)) for n, p in enumerate(points)]
        [found] = lines([match], rows)
        return found

    def found(one, other):
        pairs = (Difference(match.key, ("A", "B"), line(one), line(other)) for _ in range(400))
        return sum(pair.is_shown for pair in pairs) / 400

    assert 0.02 < found(0.6, 0.6) < 0.085
    # 18.7 points are visible between rates near 65 % of 100 games each.
    assert 0.72 < found(0.56, 0.747) < 0.88


# What else differs


def test_settings_versions_and_hosts_that_differ_are_told(tmp_path, capsys):
    wins = {AB: (5, 10), DB: (5, 10)}
    a = job_file(tmp_path / "a.h5", wins)
    b = job_file(tmp_path / "b.h5", wins, rave=500, seed=7, version="2 def", host="there")

    found = compared(capsys, a, b)

    assert found["settings"] == [
        "seed: 1 in A, 7 in B",
        "player.a.rave: 300.0 in A, 500.0 in B",
    ]
    assert found["origins"] == [
        "versions: 1 abc in A, 2 def in B",
        "hosts: here in A, there in B",
    ]


def test_settings_of_players_that_are_not_compared_do_not_matter(tmp_path, capsys):
    a = job_file(tmp_path / "a.h5", {AB: (5, 10), DB: (5, 10)})
    b = job_file(tmp_path / "b.h5", {DB: (5, 10)}, rave=500, offset=1000)

    assert compared(capsys, a, b)["settings"] == ["settings: the same"]


def test_a_setting_of_many_players_is_one_line(tmp_path, capsys):
    text = MATCHES.replace("[player.b]", "[player.b]\nrave = {rave}")
    a, b = (
        job_file(tmp_path / f"{rave}.h5", {AB: (5, 10)}, text=text, rave=rave, offset=rave)
        for rave in (200, 500)
    )

    assert compared(capsys, a, b)["settings"] == ["rave of a, b: 200.0 in A, 500.0 in B"]


def test_a_match_is_known_by_its_settings_where_its_names_are_others(tmp_path, capsys):
    a = job_file(tmp_path / "a.h5", {AB: (5, 10), DB: (5, 10)})
    b = job_file(tmp_path / "b.h5", {("new", "b"): (9, 10)}, third="new", offset=1000)

    found = compared(capsys, a, b)

    assert [row["match"] for row in found["rows"]] == ["d against b"]
    assert "d against b is new against b in B, with the same settings." in found["notes"]
    assert "Only in A: a against b." in found["notes"]


def test_games_that_are_in_both_files_are_no_second_sample(tmp_path, capsys):
    a = job_file(tmp_path / "a.h5", {AB: (20, 40), DB: (2, 10)})
    b = job_file(tmp_path / "b.h5", {AB: (20, 40), DB: (2, 20)})

    found = compared(capsys, a, b)

    assert [row["same_games"] for row in found["rows"]] == [40, 10]
    assert [row["verdict"] for row in found["rows"]] == ["the same games", "no difference shown"]
    assert "The same games in both files, move by move: a against b." in found["notes"]
    assert any("d against b: 10 of 10 games are in both A and B" in note for note in found["notes"])


def test_void_games_do_not_count(tmp_path, capsys):
    key = MatchKey("a", "b")
    rows = [
        GameRecord(key, n, point, "area", (n,)) for n, point in enumerate([1.0, None, 0.5, None])
    ]
    found = Results("", "go", "", "", "{}", (MatchRecord(key, 4),), tuple(rows), (RunRecord(0.0),))
    for name in ("a.h5", "b.h5"):
        Writer(tmp_path / name, found).close(0)

    [row] = compared(capsys, tmp_path / "a.h5", tmp_path / "b.h5")["rows"]

    assert (row["games"], row["success_rate"], row["same_games"]) == (2, 75, 2)


# Forms


def test_three_files_are_compared_with_the_first_that_has_a_match(tmp_path, capsys):
    files = [
        job_file(tmp_path / "1.h5", {AB: (5, 10)}),
        job_file(tmp_path / "2.h5", {AB: (6, 10), DB: (6, 10)}, offset=100),
        job_file(tmp_path / "3.h5", {AB: (7, 10), DB: (1, 10)}, offset=200),
    ]

    rows = compared(capsys, *files)["rows"]
    text = compared(capsys, *files, form="markdown")

    assert [(row["match"], row["file"] + row["other_file"]) for row in rows] == [
        ("a against b", "AB"),
        ("a against b", "AC"),
        ("d against b", "BC"),
    ]
    assert "| d against b | B C | 10 / 10 | 60.0 ± 15.6 % | 10.0 ± 11.8 % | -50.0 ±" in text


def test_csv_has_the_paths_and_the_numbers(two, capsys):
    rows = list(csv.DictReader(io.StringIO(compared(capsys, *two, form="csv"))))

    assert [row["other_file"] for row in rows] == [str(two[1])] * 2
    assert [float(row["difference"]) for row in rows] == [15, -1]


def test_text_names_the_files_and_fits_eighty_columns(two, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")

    lines = compared(capsys, *two, form="text").splitlines()

    # A path may be longer.
    assert lines[0] == f"A: {two[0]}" or lines[0].startswith("A: ")
    assert any("│ a against b │ 50.0 ± 2.5 % │ 65.0 ± 2.4 % │" in line for line in lines) or any(
        "│ a against b │ 400 / 400 │ 50.0 ± 2.5 % │" in line for line in lines
    )
    assert all(len(line) <= 80 for line in lines)


@pytest.mark.parametrize("form", ["text", "markdown", "latex", "csv", "json"])
def test_every_form_has_every_match(form, two, capsys):
    out = compared(capsys, *two, form="csv" if form == "csv" else form)

    text = out if isinstance(out, str) else json.dumps(out)
    assert "a against b" in text
    assert "d against b" in text


# Positions


def test_positions_are_compared_player_by_player(tmp_path, capsys):
    shutil.copy(SHIPPED / "table3-laptop.h5", tmp_path / "copy.h5")

    found = compared(capsys, SHIPPED / "table3-laptop.h5", tmp_path / "copy.h5")

    assert len(found["rows"]) == 16
    assert found["rows"][0]["match"] == str(PositionKey("plain(1000)", "must-play"))
    assert {row["verdict"] for row in found["rows"]} == {"the same games"}


# Campaigns


def campaign_file(path, more=""):
    """Write a campaign that is played to its end, with the results of tests/bgp."""
    job = jobfile.read_text(JOB + more)
    of = job.experiment
    results = Results(
        "",
        job.game,
        "",
        "",
        compatibility.written(compatibility.describe(job)),
        (),
        runs=(RunRecord(0.0),),
        tables=campaign_tables.empty_tables(of),
        kind="campaign",
    )
    writer, bgp = Writer(path, results), CampaignState(of)
    tables = CampaignTablesWriter(bgp)
    for row in in_order(CampaignState(of)):
        bgp.fix(row)
        tables.write(writer)
        writer.append([row])
    writer.close(0)
    return path


def test_mutations_are_the_same_by_their_patterns_and_their_baseline(tmp_path, capsys):
    a = campaign_file(tmp_path / "a.h5")
    b = campaign_file(tmp_path / "b.h5", "max_games = 30")

    found = compared(capsys, a, b)

    # In race 3 the first one accepts what the second has too few games for; then they part.
    rows = {row["iteration"]: row for row in found["rows"]}
    assert (rows[3]["verdict"], rows[3]["other_verdict"]) == ("accepted", "exhausted")
    assert rows[3]["conclusion"].startswith("other verdict") and not rows[3]["are_same_games"]
    assert {rows[race]["same_baseline"] for race in (1, 2, 3)} == {True}
    assert {row["conclusion"] for row in found["rows"] if row["iteration"] > 3} == {
        "other baseline"
    }
    assert found["settings"] == ["campaign.race.max_games: 0 in A, 30 in B"]


def test_the_same_mutations_have_their_verdicts_side_by_side(tmp_path, capsys):
    shutil.copy(SHIPPED / "bgp-good-9x9-laptop.h5", tmp_path / "copy.h5")

    found = compared(capsys, SHIPPED / "bgp-good-9x9-laptop.h5", tmp_path / "copy.h5")

    assert len(found["rows"]) == 20
    one = found["rows"][0]
    assert one["first"] == "weak+1"
    assert one["verdict"] == one["other_verdict"] == "accepted"
    assert (one["games"], one["other_games"]) == (1600, 1600)
    assert {row["conclusion"] for row in found["rows"]} == {"the same games"}
    assert found["notes"][0] == (
        "20 mutations in common, 20 against the same baseline: 0 other verdicts, 0 rates apart, "
        "20 of the same games, move by move."
    )
    assert found["settings"] == ["settings: the same"]


# What cannot be compared


def test_a_file_is_not_compared_with_itself(two, capsys):
    (two[0].parent / "link.h5").symlink_to(two[0])

    assert refused(capsys, two[0], two[0]) == f"{two[0]}: given twice"
    assert refused(capsys, two[0], two[0].parent / "link.h5") == (
        f"{two[0].parent / 'link.h5'}: the same file as {two[0]}"
    )


def test_one_file_is_too_few(two, capsys):
    assert refused(capsys, two[0]) == "compare: one file, must be at least two"


def test_files_without_a_common_match_are_refused(tmp_path, capsys):
    a = job_file(tmp_path / "a.h5", {AB: (5, 10)})
    b = job_file(tmp_path / "b.h5", {DB: (5, 10)})
    c = job_file(tmp_path / "c.h5", {})

    assert refused(capsys, a, b) == ('no match in common: A has "a against b", B has "d against b"')
    assert refused(capsys, a, c) == 'no match in common: A has "a against b", B has no games yet'


def test_files_of_other_kinds_are_refused(two, capsys):
    other = SHIPPED / "table3-laptop.h5"

    assert refused(capsys, two[0], other) == (
        f"{other}: a positions file, and {two[0]} a matches file; only files of one kind can be "
        "compared"
    )


def test_a_file_that_is_none_is_refused(two, tmp_path, capsys):
    (tmp_path / "x.h5").write_text("nothing")

    assert "x.h5: not an HDF5 file" in refused(capsys, two[0], tmp_path / "x.h5")
    assert "y.h5: no such file" in refused(capsys, two[0], tmp_path / "y.h5")
