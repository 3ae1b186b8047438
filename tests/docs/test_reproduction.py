"""docs/reproduction.md and results/README.md: what was played, and what the papers' size costs."""

import re
from pathlib import Path

import pytest
from test_papers import figures_of, rows, words

from mcts_cluster import published
from mcts_cluster.__main__ import main
from mcts_cluster.reports.comparison import hours

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs" / "reproduction.md").read_text()
README = (ROOT / "results" / "README.md").read_text()
PUBLISHED_SIZE = TEXT.split("\n## At the published size\n")[1].split("\n## ")[0]
RUNS = TEXT.split("\n## The runs\n")[1].split("\n## ")[0]


def named(job):
    """Return the figures of a job, a campaign by the name of its cost."""
    return [name if "." in name else f"bgp.{name}" for name in figures_of(job)]


def test_every_job_of_the_papers_size_has_its_costs_and_no_other():
    jobs = [word.removeprefix("jobs/") for row in rows(4) for word in words(row[1])]
    asked = {(name, job) for job in jobs for name in named(job)}

    known = {(name, f"{cost.job}.toml") for name, cost in published.costs().items()}
    assert known == asked


def test_the_document_adds_up_the_costs_of_each_job():
    told = dict(re.findall(r"^\|[^|]*\| `([\w-]+)` \| ([\d.,]+) \|$", PUBLISHED_SIZE, re.MULTILINE))
    costs = published.costs()

    assert told == {
        job: hours(sum(costs[name].core_hours for name in named(f"{job}.toml")))
        for job in {cost.job for cost in costs.values()}
    }


def test_every_laptop_job_of_the_papers_is_among_the_runs():
    jobs = [word for row in rows(4) for word in words(row[2]) if word.startswith("jobs/")]

    assert jobs
    assert [job for job in jobs if f"`{Path(job).stem}`" not in RUNS] == []


def test_the_results_have_the_summary_of_their_report(monkeypatch, capsys):
    monkeypatch.chdir(ROOT)
    begin, end = (re.search(rf"<!-- {word}.*-->\n", README) for word in ("summary", "end"))
    # Others are of runs of one's own.
    files = [f"results/{path.name}" for path in sorted((ROOT / "results").glob("*.h5"))]
    shipped = [file for file in files if f"`{Path(file).name}`" in README]

    assert main(["report", *shipped, "--format", "markdown", "--summary"]) == 0

    summary = capsys.readouterr().out
    assert "table1" in summary and "bgp" in summary
    assert README[begin.end() : end.start()].strip() == summary.strip(), f"it must be:\n{summary}"


@pytest.mark.parametrize("name", ["table4.go9.1", "bgp.good_shapes_9x9.previous.1"])
def test_a_figure_says_where_it_is(name):
    assert re.match(r"Table 4, Go 9x9, |BGP, section 5.1, ", published.figures()[name].place)


def test_no_two_figures_have_the_same_place():
    places = [figure.place for figure in published.figures().values()]

    assert len({*places, ""}) == len(places) + 1
