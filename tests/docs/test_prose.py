"""All documents: lines fit a screen; links, files, commands and versions are right."""

import re
import shlex
import tomllib
from pathlib import Path

import pytest

from mcts_cluster.__main__ import command_parser

ROOT = Path(__file__).parents[2]
DOCUMENTS = sorted(
    path.relative_to(ROOT)
    for folder in (ROOT, ROOT / "docs", ROOT / "results", ROOT / "slurm")
    for path in folder.glob("*.md")
)
WIDTH = 120
# Still with longer lines.
WIDE = ("ARCHITECTURE.md",)

FOLDERS = "cext|docs|jobs|mcts_cluster|slurm|tests"
MACHINE_PATH = re.compile(r"(?<![\w.~>)/])/(?:home|mnt|opt|private|root|srv|tmp|Users|var|work)/")

documents = pytest.mark.parametrize("document", DOCUMENTS, ids=str)


def prose(text):
    """Return the lines that are no tables and no code, without the targets of links."""
    text = re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)
    lines = [line for line in text.splitlines() if not line.startswith(("|", "    "))]
    return [re.sub(r"\]\([^)]*\)|<?https?://\S+", "]", line) for line in lines]


@pytest.mark.parametrize(
    "document",
    [pytest.param(one, marks=pytest.mark.xfail) if str(one) in WIDE else one for one in DOCUMENTS],
    ids=str,
)
def test_lines_of_prose_end_in_time(document):
    text = (ROOT / document).read_text()

    assert [line for line in prose(text) if len(line) > WIDTH] == []


@documents
def test_a_document_has_no_paths_of_a_machine(document):
    assert not MACHINE_PATH.search((ROOT / document).read_text())


@documents
def test_every_link_leads_to_a_file(document):
    links = re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", (ROOT / document).read_text())

    here = [link for link in links if not link.startswith("https://")]
    assert [link for link in here if not (ROOT / document.parent / link).exists()] == []


@documents
def test_every_file_that_a_document_names_exists(document):
    named = re.findall(rf"`((?:{FOLDERS})/[\w./-]+\.\w+)`", (ROOT / document).read_text())

    there = [file for file in named if not re.search("NAME|JOB|GAME", file)]
    assert [file for file in there if not (ROOT / file).exists()] == []


def commands(text):
    """Yield the words of commands in code and in prose, but for those with gaps."""
    code = r"^    (?:\$ |mpirun .*?)?(?:\S*/)?mcts-cluster (.*)$"
    prose = r"`(?:mpirun [^`]*?)?mcts-cluster\s([^`]*)`"
    for line in re.findall(code, text, flags=re.MULTILINE) + re.findall(prose, text):
        command = re.split(r" [#>] |  ", line.replace("\n", " "))[0]
        if command[0].islower() and not re.search(r"\.\.\.|\[|\bID\b", command):
            yield shlex.split(command)


@documents
def test_every_command_in_a_document_parses(document, capsys):
    for words in commands((ROOT / document).read_text()):
        try:
            command_parser(words[0]).parse_args(words)
        except SystemExit:
            # A command that is only mentioned may lack its arguments.
            assert "the following arguments are required" in capsys.readouterr().err, words


def test_commands_are_found_in_code_and_in_prose():
    code = "    $ mcts-cluster run a.toml    # plays\n    .venv/bin/mcts-cluster show x > y\n"
    prose = (
        "as `mpirun -n 2 mcts-cluster gtp\nseconds=2`, `mcts-cluster gtp ...`, `mcts-cluster VERB`"
    )

    assert list(commands(code)) == [["run", "a.toml"], ["show", "x"]]
    assert list(commands(prose)) == [["gtp", "seconds=2"]]


def test_all_documents_have_the_version_of_the_package():
    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]

    assert f"\nversion: {version}\n" in (ROOT / "CITATION.cff").read_text()
    assert f"\n## {version}, " in (ROOT / "CHANGELOG.md").read_text()


@pytest.mark.parametrize("document", ["strength.md", "performance.md"])
def test_the_readme_has_the_first_figures_of_a_document(document):
    text = (ROOT / "docs" / document).read_text().split("\n## In short\n")[1]
    table = re.search(r"(?:^\|.*\n)+", text, flags=re.MULTILINE)

    assert table[0].count("\n") > 5
    assert table[0] in (ROOT / "README.md").read_text()


def test_tables_code_and_links_may_be_wider():
    text = "short\n| cell |\n    code\n```\nx\n```\n[a](b.md) https://example.org/c\n"

    assert prose(text) == ["short", "", "[a] ]"]


def test_a_path_of_a_machine_is_one():
    for text in ("in /home/me/x", "`/tmp/a`", "(/work/b)"):
        assert MACHINE_PATH.search(text)
    for text in ("the group /games/x", "results/work/a", "https://example.org/home/a"):
        assert not MACHINE_PATH.search(text)
