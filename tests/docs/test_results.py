"""The files in results/: fit to be published, and what the README shows."""

import re
from pathlib import Path

import h5py
import pytest

from mcts_cluster.__main__ import main
from mcts_cluster.jobs import jobfile
from mcts_cluster.reports.kinds import KINDS
from mcts_cluster.storage import reader

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "results" / "quickstart-example.h5"
# With the jobs that they are of.
PUBLISHED = {
    "quickstart-example": "quickstart",
    "machines-go9": "machines-go9",
    "machines-go13": "machines-go13",
    "bandit-go9": "bandit-go9",
    "patterns-go9": "patterns-go9",
    "bgp-good-9x9-laptop": "bgp-good-9x9-laptop",
    "bgp-bad-9x9-laptop": "bgp-bad-9x9-laptop",
    "table2-slow-size5": "table2-slow-size5",
    "table2-fast-size5": "table2-fast-size5",
    "table3-laptop": "table3-laptop",
    "table3-30k-laptop": "table3-30k-laptop",
    "counter-examples": "counter-examples",
    "counter-examples-go19": "counter-examples-go19",
}


@pytest.fixture(scope="module", params=PUBLISHED)
def name(request):
    return request.param


@pytest.fixture(scope="module")
def path(name):
    return EXAMPLE.with_stem(name)


@pytest.fixture(scope="module")
def results(path):
    return reader.read(path)


def test_a_file_is_of_the_whole_job(results, name):
    assert results.text == (ROOT / "jobs" / f"{PUBLISHED[name]}.toml").read_text()
    assert results.overrides == ""
    assert results.is_closed
    assert results.runs[-1].status == 0
    job = jobfile.read_text(results.text, results.overrides.splitlines())
    assert KINDS[results.kind].plan(job, results).is_complete


def test_a_file_says_where_it_comes_from(results, name):
    assert results.runs
    for run in results.runs:
        words = run.arguments.split()
        assert words[:3] == ["mcts-cluster", "run", f"jobs/{PUBLISHED[name]}.toml"]
        # Without it the file has the name of the job.
        assert words[3:4] != ["-o"] or words[4] == f"results/{name}.h5"
        assert words[3:4] == ["-o"] or PUBLISHED[name] == name
        # Of a commit, and of nothing beside it.
        assert re.fullmatch("[0-9a-f]+", run.commit)
        assert run.version and run.build_flags and run.compiler and run.python and run.hosts


def test_a_file_has_no_paths_of_a_machine(path):
    texts = []

    def note(name, item):
        if isinstance(item, h5py.Dataset) and item.dtype.kind in "SO":
            texts.extend(item[()] if item.shape else [item[()]])

    with h5py.File(path) as file:
        file.visititems(note)

    paths = [t for text in texts for t in re.findall(r"(?<![\w.~])/\w+/\S*", text.decode())]
    # What the file says of itself.
    assert [path for path in paths if not path.startswith(("/games/", "/job/"))] == []
    assert len(texts) > 20


def test_the_readme_shows_the_table_of_the_example(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "110")

    assert main(["table", str(EXAMPLE)]) == 0

    shown = [f"    {line}".rstrip() for line in capsys.readouterr().out.splitlines()]
    assert "\n".join(shown) in (ROOT / "README.md").read_text()


@pytest.mark.parametrize("name", ["quickstart-example", "patterns-go9", "bandit-go9"])
def test_a_game_of_an_older_version_is_played_again_by_its_defaults(name, capsys):
    assert main(["replay", str(EXAMPLE.with_stem(name)), "0"]) == 0
    assert capsys.readouterr().out.endswith("played again: every move is the same\n")
