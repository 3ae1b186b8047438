"""All documents: lines fit a screen, links and files exist, no path is of somebody's machine."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DOCUMENTS = sorted(
    path.relative_to(ROOT)
    for folder in (ROOT, ROOT / "docs", ROOT / "results", ROOT / "slurm")
    for path in folder.glob("*.md")
)
WIDTH = 120
# Still with longer lines.
WIDE = ("ARCHITECTURE.md", "docs/hdf5.md", "docs/jobs.md", "docs/search.md", "docs/sharing.md")

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


def test_tables_code_and_links_may_be_wider():
    text = "short\n| cell |\n    code\n```\nx\n```\n[a](b.md) https://example.org/c\n"

    assert prose(text) == ["short", "", "[a] ]"]


def test_a_path_of_a_machine_is_one():
    for text in ("in /home/me/x", "`/tmp/a`", "(/work/b)"):
        assert MACHINE_PATH.search(text)
    for text in ("the group /games/x", "results/work/a", "https://example.org/home/a"):
        assert not MACHINE_PATH.search(text)
