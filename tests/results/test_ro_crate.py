"""Files of results as an RO-Crate: its rules, what it says, and what it does not overwrite."""

import hashlib
import json
import os
import shutil
import tomllib
from dataclasses import replace
from pathlib import Path

import pytest
from some_rows import EMPTY, rows, written

from mcts_cluster import published
from mcts_cluster.__main__ import main
from mcts_cluster.storage.writer import Writer

ROOT = Path(__file__).parents[2]
SHIPPED = ROOT / "results"
KINDS = ("quickstart-example.h5", "bgp-good-9x9-laptop.h5", "counter-examples.h5")


def exported(out, *files, options=()):
    words = ["export", *map(str, files), "--format", "ro-crate", "-o", str(out), *options]
    assert main(words) == 0
    content = json.loads((Path(out) / "ro-crate-metadata.json").read_text())
    return {entity["@id"]: entity for entity in content["@graph"]}


def refused(capsys, out, *files, options=()):
    words = ["export", *map(str, files), "--format", "ro-crate", "-o", str(out), *options]
    assert main(words) == 2
    [line] = capsys.readouterr().err.splitlines()
    return line


@pytest.fixture
def path(tmp_path):
    return written(tmp_path / "job.h5", rows(40))


@pytest.fixture(scope="module")
def crate(tmp_path_factory):
    out = tmp_path_factory.mktemp("crate") / "out"
    return out, exported(out, *(SHIPPED / name for name in KINDS))


# Its rules


def references(value):
    """Yield all ids that a value refers to."""
    if isinstance(value, list):
        for one in value:
            yield from references(one)
    elif isinstance(value, dict):
        assert list(value) == ["@id"], "entities do not stand in each other"
        yield value["@id"]


def test_it_keeps_the_rules_of_the_specification(crate):
    out, entities = crate
    content = json.loads((out / "ro-crate-metadata.json").read_text())
    descriptor, root = entities["ro-crate-metadata.json"], entities["./"]

    assert len(content["@graph"]) == len(entities)
    assert content["@context"][0] == f"{descriptor['conformsTo']['@id']}/context"
    assert (descriptor["@type"], descriptor["about"]) == ("CreativeWork", {"@id": "./"})
    assert root["@type"] == "Dataset"
    assert all(root[name] for name in ("name", "description", "datePublished", "license"))
    for entity in entities.values():
        assert entity["@type"]
        assert entity.get("name") or entity is descriptor
        for key, value in entity.items():
            assert [
                i
                for i in references(value)
                if i not in entities | {descriptor["conformsTo"]["@id"]: 0}
            ] == [], key
    parts = set(references(root["hasPart"]))
    assert parts == {i for i, entity in entities.items() if entity["@type"] == "File"}


# Those of libraries that the validator uses.
@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize("profile", ["ro-crate-1.1", "process-run-crate-0.5"])
def test_a_validator_finds_no_broken_rule(profile, crate, tmp_path, monkeypatch):
    reason = "no roc-validator here: pip install '.[crate]'"
    services = pytest.importorskip("rocrate_validator.services", reason=reason)
    import requests
    import rocrate
    from rocrate_validator import models
    from rocrate_validator.utils.http import HttpRequester

    # A later list of the same words, which is there without a network.
    words = (Path(rocrate.__file__).parent / "data" / "ro-crate.jsonld").read_bytes()

    def get(self, url, *args, **options):
        found = requests.Response()
        found.status_code, found._content = 200, words
        found.headers["Content-Type"] = "application/ld+json"
        return found

    monkeypatch.setattr(HttpRequester, "get", get, raising=False)
    settings = services.ValidationSettings(
        rocrate_uri=str(crate[0]),
        profile_identifier=profile,
        requirement_severity=models.Severity.REQUIRED,
        offline=True,
        cache_path=str(tmp_path / "cache"),
    )

    found = services.validate(settings).get_issues(models.Severity.REQUIRED)

    assert [f"{issue.violatingEntity}: {issue.message}" for issue in found] == []


# What it says


def test_files_are_there_as_they_were_with_their_sums(crate):
    out, entities = crate

    for name in KINDS:
        content = (out / name).read_bytes()
        assert content == (SHIPPED / name).read_bytes()
        assert entities[name]["contentSize"] == str(len(content))
        assert entities[name]["sha256"] == hashlib.sha256(content).hexdigest()
        assert entities[name]["encodingFormat"] == "application/x-hdf5"


def test_runs_are_actions_with_their_job_their_program_and_their_file(path, tmp_path):
    entities = exported(tmp_path / "out", path)

    run = entities["#run-1-of-job.h5"]
    assert entities["./"]["mentions"] == {"@id": "#run-1-of-job.h5"}
    assert (run["@type"], run["startTime"][:19]) == ("CreateAction", "1970-01-01T00:00:01")
    assert run["endTime"] > run["startTime"]
    assert run["result"] == {"@id": "job.h5"}
    assert entities[run["object"]["@id"]]["text"] == EMPTY.text
    assert entities[run["instrument"]["@id"]]["softwareVersion"] == "1.2.3"
    assert "agent" not in run and "author" not in entities["./"]


def test_papers_are_named_where_their_figures_are_played_again(crate, path, tmp_path):
    _, entities = crate
    cited = list(references(entities["./"]["citation"]))

    assert cited == ["#paper-scalability", "#paper-bgp"]
    authors = {i for paper in cited for i in references(entities[paper]["author"])}
    assert {i for i, one in entities.items() if one["@type"] == "Person"} == authors
    assert "citation" not in exported(tmp_path / "out", SHIPPED / "doublings-go9.h5")["./"]


def test_papers_are_those_of_the_file_for_citing():
    text = (ROOT / "CITATION.cff").read_text()
    words = text.split()
    papers = tomllib.loads((ROOT / "mcts_cluster" / "published.toml").read_text())["papers"]

    assert {published.paper_of(name).key for name in published.names()} == set(papers)
    for paper in papers.values():
        assert f"title: {paper['title']}\n" in text
        assert all(part in words for name in paper["authors"] for part in name.split())


@pytest.mark.parametrize(
    ("licence", "address"),
    [
        ("CC-BY-4.0", "https://spdx.org/licenses/CC-BY-4.0"),
        ("https://example.org/ours", "https://example.org/ours"),
    ],
)
def test_a_licence_is_what_the_user_says(licence, address, path, tmp_path):
    entities = exported(tmp_path / "out", path, options=["--license", licence])

    assert entities["./"]["license"] == {"@id": address}
    assert entities[address]["name"] == licence


def test_without_one_none_is_chosen(path, tmp_path):
    assert "No licence is stated" in exported(tmp_path / "out", path)["./"]["license"]


@pytest.mark.parametrize("name", ["a b#c?.h5", "é%2F.h5", os.fsdecode(b"\xff.h5")])
def test_names_of_files_are_quoted(name, path, tmp_path):
    shutil.copy(path, tmp_path / name)

    entities = exported(tmp_path / "out", tmp_path / name)

    part = entities["./"]["hasPart"]["@id"]
    assert not set(part) & set(" #?") and part.isascii()
    assert entities[part]["@type"] == "File"
    assert (tmp_path / "out" / name).exists()


def test_what_files_say_gives_no_orders_to_a_terminal(tmp_path):
    path = tmp_path / "job.h5"
    title = 'a\x1b[31m \u202e \x9b quote" end'
    Writer(path, replace(EMPTY, title=title)).close(0)

    entities = exported(tmp_path / "out", path)

    assert entities["./"]["name"] == title
    text = (tmp_path / "out" / "ro-crate-metadata.json").read_text()
    assert not set(text) & set("\x1b\x9b\u202e")


# What it does not do


def test_beside_the_file_nothing_is_copied(path, tmp_path):
    entities = exported(tmp_path, path)

    assert entities["job.h5"]["sha256"] == hashlib.sha256(path.read_bytes()).hexdigest()
    assert sorted(p.name for p in tmp_path.glob("*.*")) == ["job.h5", "ro-crate-metadata.json"]


def test_metadata_that_are_there_are_left_alone(path, tmp_path, capsys):
    out = tmp_path / "out"
    out.mkdir()
    (out / "ro-crate-metadata.json").write_text("mine")

    assert "ro-crate-metadata.json: exists already" in refused(capsys, out, path)
    assert [(p.name, p.read_text()) for p in out.iterdir()] == [("ro-crate-metadata.json", "mine")]


def test_another_file_of_the_same_name_is_left_alone(path, tmp_path, capsys):
    out = tmp_path / "out"
    out.mkdir()
    (out / "job.h5").write_text("mine")

    assert "job.h5: exists already and differs from" in refused(capsys, out, path)
    assert [(p.name, p.read_text()) for p in out.iterdir()] == [("job.h5", "mine")]


def test_a_file_that_is_not_there_is_refused(path, tmp_path, capsys):
    line = refused(capsys, tmp_path, tmp_path / "none" / "job.h5")

    assert "none/job.h5" in line
    assert sorted(p.name for p in tmp_path.glob("*.*")) == ["job.h5"]


def test_two_files_of_one_name_are_refused(path, tmp_path, capsys):
    (tmp_path / "b").mkdir()
    shutil.copy(path, tmp_path / "b" / "job.h5")

    assert "another file has this name" in refused(
        capsys, tmp_path / "out", path, tmp_path / "b" / "job.h5"
    )
    assert not (tmp_path / "out").exists()


def test_a_file_under_way_is_refused(tmp_path, capsys):
    writer = Writer(tmp_path / "job.h5", EMPTY)

    line = refused(capsys, tmp_path / "out", tmp_path / "job.h5")
    writer.close(0)

    assert "must be a closed file" in line
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("licence", ["all mine", "../x", "javascript:x", "-"])
def test_a_licence_that_is_none_is_refused(licence, path, tmp_path, capsys):
    line = refused(capsys, tmp_path / "out", path, options=[f"--license={licence}"])

    assert "--license" in line and not (tmp_path / "out").exists()


def test_a_file_in_place_of_the_folder_is_refused(path, tmp_path, capsys):
    assert "must be a folder or a new name" in refused(capsys, path, path)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--format", "ro-crate"], "needs -o OUT"),
        (["--format", "ro-crate", "-o", "out", "--game", "1"], "--game"),
        (["--format", "csv", "--license", "MIT"], "--license"),
        (["again.h5", "--format", "csv"], "one FILE is allowed"),
    ],
)
def test_options_that_do_not_go_together_are_refused(words, said, path, capsys):
    assert main(["export", str(path), *words]) == 2
    assert said in capsys.readouterr().err
