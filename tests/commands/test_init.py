"""The jobs that `init` writes: they can be read, checked and played as they are."""

import re
import shlex
from pathlib import Path

import pytest

from mcts_cluster.__main__ import main
from mcts_cluster.jobs import jobfile, templates
from mcts_cluster.reports.kinds import KINDS
from mcts_cluster.storage import reader

TINY = {
    "match": ["match.games=2", "player.small.simulations=4", "player.large.simulations=4"],
    "campaign": [
        *("campaign.lower=0.01", "campaign.upper=0.02", "campaign.risk=0.4"),
        *("campaign.iterations=1", "campaign.first_batch=8", "player.weak.simulations=4"),
        *("game.size=4", "campaign.proposer=random"),
    ],
    "positions": ["positions.runs=2", "positions.simulations=[2, 4]"],
}


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def options(kind):
    return [word for one in TINY[kind] for word in ("--set", one)]


def test_there_is_a_job_of_each_kind():
    assert len(templates.KINDS) == len(KINDS)


@pytest.mark.parametrize("kind", templates.KINDS)
def test_what_is_written_is_checked_and_played(kind, capsys):
    assert main(["init", kind]) == 0
    written = capsys.readouterr().out.splitlines()

    assert main(["check", f"{kind}.toml", *options(kind)]) == 0
    assert main(["run", f"{kind}.toml", *options(kind), "--processes", "1"]) == 0
    assert main(["table", f"results/{kind}.h5"]) == 0

    results = reader.read(Path("results") / f"{kind}.h5")
    assert results.title == jobfile.read(f"{kind}.toml").title
    assert results.rows
    capsys.readouterr()
    assert written[:-1] == [str(path) for path in sorted(Path().glob("*.t*"))]
    assert written[-1] == (
        f"mcts-cluster check {kind}.toml estimates its time, mcts-cluster run {kind}.toml plays it"
    )


def test_a_campaign_is_validated(capsys):
    main(["init", "campaign"])
    assert main(["run", "campaign.toml", *options("campaign"), "--processes", "1"]) == 0

    assert main(["validate", "results/campaign.h5", "-o", "again.toml", "--games", "2"]) == 0
    assert main(["run", "again.toml", "--processes", "1"]) == 0


@pytest.mark.parametrize("kind", templates.KINDS)
def test_what_stands_behind_a_sign_can_be_said_too(kind, capsys):
    main(["init", kind])
    path = Path(f"{kind}.toml")
    text = path.read_text()
    said = re.sub(r"^# (?=\[player|\w+ = )", "", text, flags=re.MULTILINE)
    assert said.count("\n#") < text.count("\n#")

    path.write_text(said)

    assert jobfile.read(path) != jobfile.read_text(text)


def test_the_sweep_that_it_tells_of_can_be_played(capsys):
    main(["init"])
    text = Path("match.toml").read_text()
    lines = re.findall(r"^#   (vary.*)$", text, flags=re.MULTILINE)

    job = jobfile.read_text("\n".join([text, *lines]))

    assert len(lines) == 2
    assert len(job.experiment.matches) == 3


@pytest.mark.parametrize("kind", templates.KINDS)
def test_the_verbs_that_it_tells_of_name_its_files(kind, capsys):
    main(["init", kind, "-o", "jobs/my own.toml"])

    text = Path("jobs/my own.toml").read_text()

    lines = re.findall(r"^#   mcts-cluster (.*?)(   .*)$", text, flags=re.MULTILINE)
    commands = [shlex.split(line) for line, _ in lines]
    assert {verb for verb, *_ in commands} >= {"check", "run"}
    assert {file for _, file, *_ in commands} == {"jobs/my own.toml", "results/my own.h5"}
    # What they do stands in one column.
    assert len({len(f"{line}{remark}") - len(remark.lstrip()) for line, remark in lines}) == 1
    told = capsys.readouterr().out.splitlines()[-1]
    assert told.startswith("mcts-cluster check 'jobs/my own.toml' estimates its time")
    assert jobfile.read("jobs/my own.toml").experiment.described()


@pytest.mark.parametrize("there", ["positions.toml", "positions.txt"])
def test_nothing_is_overwritten(there, capsys):
    Path(there).write_text("mine")

    assert main(["init", "positions"]) == 2

    assert capsys.readouterr().err == (
        f"mcts-cluster: {there}: exists already, must be a new file; -o names another\n"
    )
    assert [path.name for path in Path().iterdir()] == [there]
    assert Path(there).read_text() == "mine"


def test_a_folder_is_no_job(capsys):
    assert main(["init", "-o", "jobs/"]) == 2

    says = "jobs/: a folder, must be a file or a new name"
    assert capsys.readouterr().err == f"mcts-cluster: {says}\n"
    assert not Path("jobs").exists()
