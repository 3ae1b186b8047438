"""The kinds of experiments: one list of them, and nobody else who asks which one it is."""

import ast
from pathlib import Path

import pytest

from mcts_cluster.bgp.campaign import Campaign
from mcts_cluster.jobs.jobfile import EXPERIMENTS
from mcts_cluster.matches.matches import Matches
from mcts_cluster.positions.positions import Positions
from mcts_cluster.reports.kinds import KINDS

PACKAGE = Path(__file__).parents[2] / "mcts_cluster"
VERBS = (
    *("run", "submit", "check", "show", "table", "compare", "plot", "report", "watch"),
    *("export", "replay"),
    "repair",
)
GENERAL = [
    *PACKAGE.glob("running/*.py"),
    *(PACKAGE / "commands" / f"{verb}.py" for verb in VERBS),
    *(PACKAGE / "reports" / f"{name}.py" for name in ("comparison", "table", "runs", "formats")),
    *PACKAGE.glob("reports/page/*.py"),
    *PACKAGE.glob("reports/watch/*.py"),
]


def names_in(path):
    """Return the names that the code of a file has, imported ones too."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Name):
            yield node.id
        elif isinstance(node, ast.Attribute):
            yield node.attr
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def test_each_kind_that_is_played_can_be_read():
    assert {kind.kind for kind in (Matches, Campaign, Positions)} == set(KINDS)
    assert len(EXPERIMENTS) == len(KINDS)


@pytest.mark.parametrize("path", GENERAL, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_who_runs_or_reads_an_experiment_does_not_know_its_kind(path):
    kinds = ("ampaign", "Positions", "Matches", "reports.matches", "reports.positions")

    assert [name for name in names_in(path) if any(kind in name for kind in kinds)] == []
