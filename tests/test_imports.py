"""What may import what: packages in one order, and nothing heavy where ranks start."""

import ast
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "mcts_cluster"

# Each imports only itself and what stands before it. ARCHITECTURE.md draws the same order.
ORDER = (
    *("errors", "exit_statuses", "text_files", "seeds", "published", "success_rates", "settings"),
    *("games", "players", "parallel", "matches", "bgp", "positions", "jobs", "storage"),
    *("reports",),
    *("running", "gtp", "benchmarks", "commands", "__main__"),
)


def part_of(module):
    """Return the package, or the module without one, that the name of a module begins with."""
    return module.removeprefix("mcts_cluster").lstrip(".").partition(".")[0]


def imported(path):
    """Yield the modules of ours that a file imports, wherever in it."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and str(node.module).startswith("mcts_cluster"):
            if node.module == "mcts_cluster":
                yield from (f"mcts_cluster.{alias.name}" for alias in node.names)
            else:
                yield node.module
        elif isinstance(node, ast.Import):
            yield from (a.name for a in node.names if a.name.startswith("mcts_cluster."))


@pytest.mark.xfail(strict=True)
def test_packages_import_only_those_before_them():
    against = [
        f"{path.relative_to(PACKAGE)} imports {module}"
        for path in sorted(PACKAGE.rglob("*.py"))
        for own in [path.relative_to(PACKAGE).with_suffix("").parts[0]]
        for module in imported(path)
        if own in ORDER
        and part_of(module) in ORDER
        and ORDER.index(part_of(module)) > ORDER.index(own)
    ]

    assert against == []
