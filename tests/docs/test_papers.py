"""docs/papers.md leads from sentences of the papers to code, jobs and figures that exist."""

import ast
import re
import tomllib
from fnmatch import fnmatchcase
from pathlib import Path

import pytest

from mcts_cluster import published

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs" / "papers.md").read_text()
JOBS = sorted(path.name for path in (ROOT / "jobs").glob("*.toml"))

# Of the papers, which number them so; published.toml has the tables of numbers.
FIGURES = {"Scalability": (1, 2, 3), "Bandit": (1, 2)}


def rows(cells):
    """Return the rows of tables with so many columns, without their heads."""
    lines = [line for line in TEXT.splitlines() if line.startswith("| ")]
    found = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    return [row for row in found if len(row) == cells and row[0] != "in the paper"]


def words(cell):
    return re.findall(r"`([^`]+)`", cell)


def is_file(word):
    return "/" in word and " " not in word


def names_in(path):
    """Return what a file defines: functions, classes, their methods, constants."""
    text = path.read_text()
    return set(names_of_python(text) if path.suffix == ".py" else names_of_cython(text))


def names_of_python(text, owner=""):
    nodes = ast.parse(text).body if isinstance(text, str) else text
    for node in nodes:
        if isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            yield from (owner + target.id for target in targets if isinstance(target, ast.Name))
        elif isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield owner + node.name
            if isinstance(node, ast.ClassDef):
                yield from names_of_python(node.body, f"{node.name}.")


def names_of_cython(text):
    owner = ""
    for line in text.splitlines():
        if kind := re.match(r"(?:cdef )?(?:class|struct) (\w+)", line):
            owner = f"{kind[1]}."
            yield kind[1]
        elif function := re.match(r"( *)(?:cdef|cpdef|def) [^=(]*?(\w+)\(", line):
            yield (owner if function[1] else "") + function[2]


def code():
    """Yield each name that stands behind a file in a cell, with the file."""
    for row in rows(2):
        for part in row[1].split(";"):
            file, *names = words(part) or [""]
            if is_file(file):
                yield from ((file, name) for name in names)


def figures_of(job):
    """Return the figures and campaigns that a job compares itself with."""
    text = (ROOT / "jobs" / job).read_text()
    read = tomllib.loads(text)
    for figures in read.get("positions", {}).get("published", {}).values():
        yield from figures.values()
    for table in [*read.get("match", ()), read.get("campaign", {})]:
        here = table.get("published", table.get("vary", {}).get("published", ()))
        yield from [here] if isinstance(here, str) else here


def test_every_file_that_it_names_exists():
    files = [word for word in words(TEXT) if is_file(word)]

    assert len(files) > 50
    assert [file for file in files if not (ROOT / file).is_file()] == []


def test_every_name_is_in_the_file_that_it_stands_behind():
    found = list(code())

    assert len(found) > 40
    assert [(f, name) for f, name in found if name not in names_in(ROOT / f)] == []


def test_names_are_told_from_what_is_only_mentioned():
    python = "X = 1\nY: int = 2\nclass A:\n    B = 2\n    def f(self): g()\ndef h(): pass"
    cython = (
        "cdef struct N:\n    int x\ncdef class A:\n    cdef int f(self) noexcept:\n        i = g()"
    )

    assert set(names_of_python(python)) == {"X", "Y", "A", "A.B", "A.f", "h"}
    assert set(names_of_cython(cython)) == {"N", "A", "A.f"}


def test_every_sentence_leads_to_a_file():
    for sentence, place in rows(2):
        assert place.startswith("missing") or is_file(words(place)[0]), sentence


def test_every_table_has_a_job_or_is_missing():
    for row in rows(4):
        assert is_file(words(row[1])[0]), row[0]


@pytest.mark.parametrize("job", [j for j in JOBS if any(figures_of(j)) and j != "quickstart.toml"])
def test_every_job_of_the_papers_stands_beside_its_figures(job):
    beside = [row for row in rows(4) if f"jobs/{job}" in words(row[1]) + words(row[2])]

    assert len(beside) == 1
    for figure in figures_of(job):
        patterns = words(beside[0][0]) + words(beside[0][3])
        assert any(fnmatchcase(figure, pattern) for pattern in patterns)


def test_every_published_figure_is_named_and_no_other():
    missing = [row[1] for row in rows(2) if row[1].startswith("missing: a job")]
    patterns = [word for row in rows(4) for word in words(row[3])]
    patterns += [word for cell in missing for word in words(cell)]

    for figure in published.figures():
        assert sum(fnmatchcase(figure, pattern) for pattern in patterns) == 1, figure
    for pattern in patterns:
        assert any(fnmatchcase(figure, pattern) for figure in published.figures()), pattern


def test_every_published_campaign_is_named_and_no_other():
    named = [word for row in rows(4) for word in words(row[0])]

    assert sorted(named) == sorted(published.campaigns())


def test_every_table_and_figure_of_the_papers_is_mentioned():
    firsts = " ".join(row[0] for row in rows(2) + rows(4))

    for table in published.tables()["scalability"]:
        assert f"Table {table.removeprefix('table')}" in firsts, table
    for paper, numbers in FIGURES.items():
        part = TEXT.split(f"\n## {paper}")[1].split("\n## ")[0]
        assert all(re.search(rf"Figure {number}\b", part) for number in numbers), paper


def test_what_is_missing_is_missing():
    missing = [row[0] for row in rows(2) if row[1].startswith("missing")]
    tables = [word for row in missing for word in re.findall(r"^Table (\d)", row)]

    for number in tables:
        assert not [job for job in JOBS if job.startswith(f"table{number}")]
