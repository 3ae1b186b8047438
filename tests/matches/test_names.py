"""Players whose names hold what stands between names: kept apart, from the job to every verb."""

import csv
import io
import json
from collections import Counter
from itertools import product

import pytest
from conftest import rest_in_proof

from mcts_cluster.__main__ import main
from mcts_cluster.bgp.versions import CandidateKey
from mcts_cluster.matches.setup import MatchKey
from mcts_cluster.positions.position import PositionKey
from mcts_cluster.storage import reader

NAMES = ["a against b", "gnugo-3.8", "two words", 'a "quoted" one', "it's", "a+1", "+2.3", "été 碁"]
SOME = ["a against b", 'a "quoted" one', "+2.3"]
TRICKY = [
    "",
    " ",
    "a",
    "b",
    "against",
    " against ",
    "a against",
    "against b",
    "a against b",
    "1,1 a",
]


def job(*pairs, simulations=10, games=2):
    names = dict.fromkeys(name for pair in pairs for name in pair)
    players = "".join(
        f"[player.{json.dumps(name, ensure_ascii=False)}]\nsimulations = {simulations}\n"
        for name in names
    )
    matches = "".join(
        f"[[match]]\nplayers = {json.dumps(pair, ensure_ascii=False)}\ngames = {games}\n"
        for pair in pairs
    )
    return f"[game]\nsize = 5\n{players}{matches}"


def run(tmp_path, text):
    path = tmp_path / "job.toml"
    path.write_text(text, encoding="utf-8")
    return main(["run", str(path), "-o", str(tmp_path / "job.h5"), "--processes", "1"])


def test_other_players_never_have_the_same_seeds():
    pairs = list(product(TRICKY, repeat=2))

    assert len({MatchKey(*pair).seed_path for pair in pairs}) == len(pairs)
    assert len({PositionKey(*pair).seed_path for pair in pairs}) == len(pairs)


def test_ordinary_names_have_the_seeds_of_their_text():
    assert MatchKey("mogo+1", "mogo").seed_path == "mogo+1 against mogo"


def test_keys_of_other_kinds_are_others():
    key = MatchKey("a", "b")

    assert len({key, PositionKey("a", "b"), CandidateKey("a", "b", ((1, 1),))}) == 3
    assert CandidateKey("a", "b", ((1, 1),)) != CandidateKey("a", "b", ((2, 1), (1, 1)))


def test_a_player_named_like_a_match_is_continued_with_no_other_budget(tmp_path, capsys):
    # "a against b" against "c", and "a" against "b against c", are the same text.
    pair = ("a against b", "c")
    assert run(tmp_path, job(pair)) == 0
    capsys.readouterr()

    assert run(tmp_path, job(pair, simulations=400, games=4)) == 2

    assert 'player."a against b".simulations: 10 in the file, 400 in the job' in (
        capsys.readouterr().err
    )
    assert len(reader.read(tmp_path / "job.h5").rows) == 2


def test_matches_of_the_same_text_are_two_matches(tmp_path, capsys):
    pairs = [("a against b", "c"), ("a", "b against c")]
    assert run(tmp_path, job(pairs[0])) == 0

    assert run(tmp_path, job(*pairs)) == 0

    rows = reader.read(tmp_path / "job.h5").rows
    assert [row.match.players for row in rows] == [pairs[0]] * 2 + [pairs[1]] * 2
    assert len({row.seed for row in rows}) == 4
    assert run(tmp_path, job(pairs[1])) == 2
    assert "is in the file, and not in the job" in capsys.readouterr().err


# Some in one job; all in one job, or a job for each.
@pytest.mark.parametrize("names", rest_in_proof([SOME, NAMES, *([name] for name in NAMES)], [SOME]))
def test_matches_of_any_names_go_through_every_verb(names, tmp_path, capsys):
    file = str(tmp_path / "job.h5")
    pairs = [pair for name in names for pair in ((name, "other"), ("other", name), (name, name))]
    text = job(*pairs)
    assert run(tmp_path, text) == 0
    assert run(tmp_path, text.replace("games = 2", "games = 3")) == 0

    rows = reader.read(tmp_path / "job.h5").rows
    assert Counter(row.match.players for row in rows) == dict.fromkeys(pairs, 3)
    for form in ("text", "markdown", "csv", "latex", "json"):
        assert main(["table", file, "--format", form]) == 0
    assert main(["show", file]) == 0
    for number in range(0, len(rows), 2):
        assert main(["replay", file, str(number)]) == 0
    assert main(["export", file, "--format", "sgf", "-o", str(tmp_path / "all.sgf")]) == 0
    capsys.readouterr()
    assert main(["export", file, "--format", "csv"]) == 0
    read = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert {row["match"] for row in read} == {" against ".join(pair) for pair in pairs}


@pytest.mark.parametrize("name", rest_in_proof(NAMES, ["+2.3"]))
def test_a_campaign_of_a_player_of_any_name_goes_through_every_verb(name, tmp_path, capsys):
    file = str(tmp_path / "job.h5")
    quoted = json.dumps(name, ensure_ascii=False)
    text = (
        f"[game]\nsize = 5\n[player.{quoted}]\nsimulations = 4\n"
        f"[campaign]\nplayer = {quoted}\niterations = 2\ncandidates = 2\n"
        "proposer = 'random'\nlower = 0.2\nupper = 0.21\n"
    )
    assert run(tmp_path, text) == 0
    before = reader.read(tmp_path / "job.h5").rows
    assert run(tmp_path, text.replace("iterations = 2", "iterations = 3")) == 0

    rows = reader.read(tmp_path / "job.h5").rows
    assert rows[: len(before)] == before
    assert len(rows) > len(before)
    # A mutation was accepted, so that there are baselines with one.
    later = [row for row in rows if row.match.accepted]
    assert later and all(row.match.second.startswith(f"{name}+") for row in later)
    for verb in (["table", file], ["show", file], ["replay", file, str(rows.index(later[-1]))]):
        assert main(verb) == 0
    assert main(["export", file, "--format", "csv", "-o", str(tmp_path / "all.csv")]) == 0
    assert main(["export", file, "--format", "sgf", "-o", str(tmp_path / "all.sgf")]) == 0
    assert "every move is the same" in capsys.readouterr().out
