"""The documents beside the code, held against it."""

import json
import re
import shlex
import tomllib
from pathlib import Path

import h5py
import pytest

from mcts_cluster import published
from mcts_cluster.__main__ import command_parser
from mcts_cluster.bgp import mutations
from mcts_cluster.columns import columns_of
from mcts_cluster.jobs import compatibility, jobfile
from mcts_cluster.matches.game_record import GameRecord
from mcts_cluster.matches.setup import MatchKey
from mcts_cluster.storage import campaign_tables, schema
from mcts_cluster.storage.results import MatchRecord, Results, RunRecord
from mcts_cluster.storage.writer import Writer

DOCS = Path(__file__).parents[2] / "docs"

TABLES = campaign_tables.empty_tables(
    jobfile.read_text(
        "[player.a]\nsimulations = 2\n[campaign]\nplayer = 'a'\niterations = 1"
    ).experiment
)


def sections(name):
    """Return the text under each heading of a document."""
    parts = re.split(r"^## (.*)$", (DOCS / name).read_text(), flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def table(text):
    """Return the rows of the tables in a text."""
    lines = [line for line in text.splitlines() if line.startswith("| `")]
    return [tuple(cell.strip() for cell in line.strip("|").split("|")) for line in lines]


# The file


@pytest.mark.parametrize("group", schema.groups())
def test_every_field_of_the_file_is_documented_as_it_is_declared(group):
    declared = schema.documentation(group)

    documented = table(sections("hdf5.md")[f"/{group}"])
    assert documented == table(declared), f"docs/hdf5.md, /{group}, must have\n\n{declared}"


@pytest.mark.parametrize("tables", [{}, TABLES], ids=["matches", "campaign"])
def test_the_file_has_what_the_document_tells_and_nothing_else(tables, tmp_path):
    matches = () if tables else (MatchRecord(MatchKey("a", "b"), 1),)
    rows = () if tables else (GameRecord(matches[0].key, 0, 1.0, "area", (1, 2)),)
    runs = (RunRecord(0.0),)
    kind = "campaign" if tables else "matches"
    results = Results("", "go", "", "", "{}", matches, rows, runs, tables=tables, kind=kind)
    Writer(tmp_path / "job.h5", results).close(0)
    others = {"matches"} if tables else set(TABLES)
    told = {
        f"{group[1:]}/{row[0].strip('`')}"
        for group, text in sections("hdf5.md").items()
        if group.startswith("/") and group[1:] not in others
        for row in table(text)
    }

    with h5py.File(tmp_path / "job.h5") as file:
        found = []
        file.visititems(
            lambda name, item: found.append(name) if isinstance(item, h5py.Dataset) else None
        )
        assert file.attrs["schema_version"] == schema.SCHEMA
        assert f"this is version {schema.SCHEMA};" in (DOCS / "hdf5.md").read_text()

    counts = {f"{group}/count" for group in ("games", *tables)}
    assert set(found) == told | {"readme"} | counts


def test_the_example_in_the_document_works(tmp_path, monkeypatch):
    matches = (MatchRecord(MatchKey("a", "b"), 1),)
    results = Results("", "go", "", "", "{}", matches, (), (RunRecord(0.0),))
    Writer(tmp_path / "quickstart.h5", results).close(0)
    text = (DOCS / "hdf5.md").read_text()
    lines = [line[4:] for line in text.splitlines() if line.startswith("    ")]
    code = "\n".join(lines).replace("results/quickstart.h5", str(tmp_path / "quickstart.h5"))

    names = {}
    exec(code, names)

    assert names["points"].shape == (0,)


def test_the_example_in_the_document_makes_columns_of_one_length(monkeypatch):
    text = (DOCS / "hdf5.md").read_text()
    lines = [line[4:] for line in text.splitlines() if line.startswith("    ")]
    path = DOCS.parent / "results" / "quickstart-example.h5"
    code = "\n".join(lines).replace("results/quickstart.h5", str(path))

    names = {}
    exec(code, names)

    assert {len(column) for column in names["games"].values()} == {164}
    assert set(names["games"]) == {
        column.name for column in columns_of(GameRecord) if column.name != "moves"
    }


def test_the_readme_of_a_file_names_the_datasets_that_are_no_columns(tmp_path):
    rows = tuple(GameRecord(MatchKey("a", "b"), n, 1.0, "area", (1, 2, 3)) for n in range(2))
    matches = (MatchRecord(MatchKey("a", "b"), 2),)
    results = Results("", "go", "", "", "{}", matches, rows, (RunRecord(0.0),))
    Writer(tmp_path / "job.h5", results).close(0)

    with h5py.File(tmp_path / "job.h5") as file:
        lengths = {name: data.shape for name, data in file["games"].items()}
        text = file["readme"][()].decode()

    others = {name for name, shape in lengths.items() if shape != lengths["points"]}
    assert others == {"count", "moves"}
    assert all(f"/games/{name} is" in text for name in others)


# Jobs


def test_every_proposer_is_documented():
    text = sections("campaigns.md")["How mutations are made"]

    assert re.findall(r"^- \*\*(.*)\*\*", text, flags=re.MULTILINE) == list(mutations.PROPOSERS)


@pytest.mark.parametrize("name", ["jobs.md", "campaigns.md"])
def test_every_job_in_the_document_reads(name, monkeypatch):
    monkeypatch.chdir(DOCS.parent)
    text = (DOCS / name).read_text()
    blocks = re.findall(r"(?:^    .*\n|^\n(?=    ))+", text, flags=re.MULTILINE)
    jobs = [re.sub(r"^    ", "", block, flags=re.MULTILINE) for block in blocks]
    jobs = [
        job
        for job in jobs
        if any(f"{key}]" in job for key in ("[[match]", "[campaign", "[positions"))
    ]

    assert jobs
    for job in jobs:
        read = jobfile.parse(tomllib.loads(job))
        assert read.experiment.described()


@pytest.mark.parametrize("name", ["jobs.md", "campaigns.md"])
def test_every_command_in_the_document_parses(name):
    text = (DOCS / name).read_text()
    commands = re.findall(r"^    (?:mpirun .*? )?mcts-cluster (.*)$", text, flags=re.MULTILINE)

    assert commands
    for line in commands:
        words = shlex.split(line, comments=True)
        command_parser(words[0]).parse_args(words)


def test_every_published_figure_that_the_document_names_is_there():
    named = re.findall(r"`(table\d[\w.]*\d)`", (DOCS / "jobs.md").read_text())

    assert named
    assert set(named) <= set(published.figures())


def test_the_settings_of_a_file_are_json(tmp_path):
    job = jobfile.read_text("[player.a]\nplayouts = 3\n[[match]]\nplayers=['a','a']\ngames=1")

    assert (
        json.loads(compatibility.written(compatibility.describe(job)))["player"]["a"]["playouts"]
        == 3
    )
