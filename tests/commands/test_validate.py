"""The job that tests a campaign's versions again: who meets whom, with which patterns and seeds."""

import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from test_campaign_state import PLANTED, row_of

from mcts_cluster.__main__ import main
from mcts_cluster.bgp.campaign_state import CampaignState
from mcts_cluster.jobs import compatibility, jobfile
from mcts_cluster.matches.setup import MatchKey
from mcts_cluster.players.bias_patterns import parse
from mcts_cluster.storage import campaign_tables, reader
from mcts_cluster.storage.campaign_writer import CampaignTablesWriter
from mcts_cluster.storage.results import MatchRecord, Results, RunRecord
from mcts_cluster.storage.table_sinks import TablesInMemory
from mcts_cluster.storage.writer import Writer, make_anew

SHIPPED = Path(__file__).parents[2] / "results"
OWN = "pattern own\nstrength = 0.5\nX *\n"
JOB = """
title = "good \\"shapes\\""
seed = 3
[game]
size = 5
komi = 7.5
[player.base]
simulations = 10
solve = true
[player.a]
like = "base"
patterns = "{path}"
[player.gnugo]
command = 'gnugo --mode gtp --seed {{seed}}'
[campaign]
player = "a"
iterations = {iterations}
lower = 0.55
upper = 0.65
first_batch = 10
opening = 2
resign_below = 0.01
published = "good_shapes_9x9"
"""


@pytest.fixture
def campaign(tmp_path):
    """Return a function that plays a campaign, of which the mutations 3 and 7 are good ones."""
    assert {(3, 1), (7, 1)} <= set(PLANTED)

    def play(iterations=9, more=""):
        (tmp_path / "own.txt").write_text(OWN)
        text = JOB.format(path=tmp_path / "own.txt", iterations=iterations) + more
        job = jobfile.read_text(text, ["game.komi=6.5"])
        bgp = CampaignState(job.experiment)
        rows = []
        while task := bgp.issue():
            rows.append(row_of(task))
            bgp.fix(rows[-1])
        pages = TablesInMemory()
        CampaignTablesWriter(bgp).write(pages)
        results = Results(
            title=job.title,
            kind="campaign",
            game=job.game,
            text=text,
            overrides="\n".join(job.overrides),
            settings=compatibility.written(compatibility.describe(job)),
            matches=(),
            rows=tuple(rows),
            runs=(RunRecord(0.0),),
            tables=pages.over(campaign_tables.empty_tables(job.experiment)),
        )
        Writer(tmp_path / "campaign.h5", results).close(0)
        return tmp_path / "campaign.h5"

    return play


def validated(file, *more):
    out = file.with_name("again.toml")
    assert main(["validate", str(file), "-o", str(out), *more]) == 0
    return jobfile.read(out)


def test_each_version_meets_the_one_before_it_and_the_baseline(campaign):
    job = validated(campaign(), "--games", "40")

    assert [(str(match.key), match.games, match.published) for match in job.experiment.matches] == [
        ("a+3 against a", 40, "bgp.good_shapes_9x9.previous.1"),
        ("a+3+7 against a+3", 40, "bgp.good_shapes_9x9.previous.2"),
        ("a+3+7 against a", 40, "bgp.good_shapes_9x9.baseline.2"),
    ]


def test_a_campaign_in_two_files_is_validated_as_the_whole_once_they_are_merged(campaign):
    file = campaign()
    whole, parts = reader.read(file), []
    for number in range(2):
        parts.append(file.with_name(f"part{number}.h5"))
        make_anew(parts[number], replace(whole, rows=whole.rows[number::2]))
    merged = file.with_name("merged.h5")

    assert main(["merge", *map(str, parts), "-o", str(merged)]) == 0

    assert [one.players for one in campaign_tables.in_file(reader.read(merged)).accepted] == [
        ("a+3", "a"),
        ("a+3+7", "a+3"),
    ]
    assert validated(merged).experiment == validated(file).experiment


def test_winners_of_one_race_are_versions_one_after_another(campaign):
    file = campaign(more="candidates = 3\nwinners = 'several'\n")
    job = validated(file, "--games", "40")

    before = jobfile.read_text(reader.read(file).text).experiment
    first, second = [
        record.match.place for record in campaign_tables.in_file(reader.read(file)).accepted[1:]
    ]
    one, two, three = (
        before.version([(3, 1)]),
        *(before.version([(3, 1), first, second][:k]) for k in (2, 3)),
    )
    assert {first, second} == {(7, 1), (7, 3)}
    # Nobody has played as the third version before.
    assert [str(match.key) for match in job.experiment.matches] == [
        f"{one} against a",
        f"{two} against {one}",
        f"{three} against {two}",
        f"{two} against a",
        f"{three} against a",
    ]
    assert job.players[three].patterns == tuple(parse(OWN)) + sum(
        map(before.mutation, [(3, 1), first, second]), ()
    )


def test_versions_have_the_patterns_of_the_baseline_and_those_that_were_accepted(campaign):
    file = campaign()
    job = validated(file)

    before = jobfile.read_text(reader.read(file).text).experiment
    own = tuple(parse(OWN))
    assert job.players["a"].patterns == own
    assert job.players["a+3"].patterns == own + before.mutation((3, 1))
    assert job.players["a+3+7"].patterns == (
        own + before.mutation((3, 1)) + before.mutation((7, 1))
    )
    assert (job.players["a+3"].simulations, job.players["a+3"].solve) == (10, True)


def test_the_game_is_that_of_the_campaign_and_the_seeds_are_fresh(campaign):
    job = validated(campaign())

    assert (job.game, job.settings) == ("go", {"size": 5, "komi": 6.5})
    assert job.seed != 3
    assert job.title == 'Validation: good "shapes"'


def test_games_begin_as_those_of_the_campaign(campaign):
    assert {match.opening for match in validated(campaign()).experiment.matches} == {2}


def test_players_resign_as_those_of_the_campaign(campaign):
    assert {match.resign_below for match in validated(campaign()).experiment.matches} == {0.01}


def test_another_player_meets_all_versions(campaign):
    job = validated(campaign(), "--against", "gnugo")

    assert [str(match.key) for match in job.experiment.matches[3:]] == [
        "a against gnugo",
        "a+3 against gnugo",
        "a+3+7 against gnugo",
    ]
    assert job.players["gnugo"].command == "gnugo --mode gtp --seed {seed}"


OTHER = """
[player.michi]
command = "michi gtp"
seconds_to_answer = 9
[player.slow]
like = "michi"
seconds_to_answer = 90
[player.a]
simulations = 77
[[match]]
players = ["michi", "a"]
games = 2
"""


def test_all_versions_meet_a_player_of_another_job(campaign, tmp_path):
    (tmp_path / "other.toml").write_text(OTHER)

    job = validated(campaign(), "--against", "slow", "--players", str(tmp_path / "other.toml"))

    assert [str(match.key) for match in job.experiment.matches[3:]] == [
        "a against slow",
        "a+3 against slow",
        "a+3+7 against slow",
    ]
    slow = job.players["slow"]
    assert (slow.command, slow.seconds_to_answer) == ("michi gtp", 90)
    # A name of both jobs is the campaign's.
    assert job.players["a"].simulations == 10
    assert "michi" not in job.players


def test_a_player_that_neither_job_has_is_one_line(campaign, tmp_path, capsys):
    (tmp_path / "other.toml").write_text(OTHER)
    words = ["--against", "b", "--players", str(tmp_path / "other.toml")]

    assert main(["validate", str(campaign()), "-o", str(tmp_path / "x.toml"), *words]) == 2

    assert (
        capsys.readouterr()
        .err.rstrip()
        .endswith("must be a player of the job: base, a, gnugo, michi, slow")
    )


def test_the_last_version_meets_the_baseline_with_other_budgets(campaign):
    job = validated(campaign(), "--simulations", "20", "--simulations", "50")

    assert [str(match.key) for match in job.experiment.matches[3:]] == [
        "a+3+7(20) against a(20)",
        "a+3+7(50) against a(50)",
    ]
    assert job.players["a+3+7(50)"].patterns == job.players["a+3+7"].patterns


PUBLISHED = 'published = "good_shapes_9x9"'


def test_published_figures_stand_beside_what_they_are_of(campaign):
    job = validated(campaign(), "--simulations", "20", "--simulations", "100000")

    assert [match.published for match in job.experiment.matches[3:]] == [
        "",
        "bgp.good_shapes_9x9.simulations.100000",
    ]


@pytest.mark.parametrize("other", ["database", "gnugo"])
def test_only_the_player_that_the_papers_had_has_their_figures(other, campaign, monkeypatch):
    monkeypatch.setitem(
        globals(),
        "JOB",
        JOB.replace(PUBLISHED, 'published = "without_database_19x19"')
        + '[player.database]\nlike = "base"\nsimulations = 11\n',
    )

    job = validated(campaign(), "--against", other)

    figures = [
        f"bgp.without_database_19x19.database.{k}" if other == "database" else "" for k in range(3)
    ]
    assert [match.published for match in job.experiment.matches[3:]] == figures


def test_the_baseline_has_the_patterns_with_which_it_raced(campaign, tmp_path):
    file = campaign()
    (tmp_path / "own.txt").write_text(OWN.replace("0.5", "0.25"))
    assert validated(file).players["a"].patterns == tuple(parse(OWN))

    (tmp_path / "own.txt").unlink()
    job = validated(file)
    assert job.players["a"].patterns == tuple(parse(OWN))
    assert job.players["a+3"].patterns[0] == parse(OWN)[0]


def with_settings(file, old, new):
    """Have a file say that other settings have played."""
    results = reader.read(file)
    settings = results.settings.replace(old, new)
    assert settings != results.settings
    Writer(file, replace(results, settings=settings)).close(0)


def test_the_baseline_has_the_settings_with_which_it_raced(campaign):
    file = campaign()
    with_settings(file, '"explore_every": 8', '"explore_every": 0')
    with_settings(file, '"playout_save": 90', '"playout_save": 80')

    players = validated(file).players

    for name in ("a", "a+3", "a+3+7", "base"):
        assert players[name].explore_every == 0
        assert dict(players[name].policy_settings)["playout_save"] == 80


def test_a_campaign_of_an_older_version_is_validated_as_it_was_played(tmp_path):
    shutil.copy(SHIPPED / "bgp-good-9x9-laptop.h5", tmp_path / "campaign.h5")

    weak = validated(tmp_path / "campaign.h5").players["weak"]

    # Both are later than the file.
    assert weak.explore_every == 0
    assert dict(weak.policy_settings)["prior_nakade"] == 0


def test_another_baseline_than_that_which_raced_is_refused(campaign, tmp_path, capsys):
    file = campaign()
    with_settings(file, '"simulations": 10', '"simulations": 11')

    assert main(["validate", str(file), "-o", str(tmp_path / "again.toml")]) == 2

    said = capsys.readouterr().err
    assert f"{file}: this version plays another job: player.a.simulations" in said
    assert not (tmp_path / "again.toml").exists()


def test_of_one_version_there_is_one_match(campaign):
    job = validated(campaign(iterations=4))

    assert [str(match.key) for match in job.experiment.matches] == ["a+3 against a"]


@pytest.mark.parametrize(
    ("iterations", "words", "line"),
    [
        (2, [], "no mutation was accepted"),
        (4, ["--against", "b"], "--against b: must be a player of the job: base, a, gnugo"),
        (4, ["--games", "0"], "--games 0: too small, must be at least 1"),
    ],
)
def test_what_cannot_be_validated_is_one_line(iterations, words, line, campaign, capsys):
    file = campaign(iterations)

    assert main(["validate", str(file), "-o", str(file.with_name("x.toml")), *words]) == 2

    assert capsys.readouterr().err.rstrip().endswith(line)
    assert not file.with_name("x.toml").exists()


def test_a_file_of_matches_is_refused(tmp_path, capsys):
    matches = (MatchRecord(MatchKey("a", "b"), 1),)
    results = Results("", "go", "", "", "{}", matches, (), (RunRecord(0.0),))
    Writer(tmp_path / "job.h5", results).close(0)

    assert main(["validate", str(tmp_path / "job.h5"), "-o", str(tmp_path / "x.toml")]) == 2
    assert capsys.readouterr().err.endswith("a file of matches, must be one of a campaign\n")


def test_a_program_that_the_job_starts_is_named(campaign, capsys):
    file = campaign()
    out = file.with_name("again.toml")

    assert main(["validate", str(file), "-o", str(out), "--against", "gnugo"]) == 0

    command = "gnugo --mode gtp --seed {seed}"
    assert capsys.readouterr().err == (
        f'mcts-cluster: player "gnugo" starts a program: "{command}"\n'
    )
