"""The tables of settings in the documents: those of the declarations, row by row."""

import re
from pathlib import Path

import pytest

from mcts_cluster.__main__ import main
from mcts_cluster.jobs import markdown
from mcts_cluster.parallel.sharing import STRATEGIES

ROOT = Path(__file__).parents[2]
TABLES = markdown.tables()


def section(title):
    """Return the text under a heading of a document."""
    document, heading = title.split(": ")
    text = (ROOT / "docs" / document).read_text()
    parts = dict(re.findall(r"^## (.*?)\n(.*?)(?=^## |\Z)", text, flags=re.MULTILINE | re.DOTALL))
    # Each game has a table of its own under one heading.
    return parts["The game" if heading.startswith("The game ") else heading]


@pytest.mark.parametrize("title", TABLES)
def test_a_document_has_the_table_that_follows_from_the_declarations(title):
    right = "\n".join(TABLES[title])

    assert f"{right}\n\n" in section(title), f"docs/{title} must have:\n{right}"


def test_the_command_prints_all_of_them(capsys):
    assert main(["schema", "--format", "markdown"]) == 0

    shown = capsys.readouterr().out
    assert all("\n".join(lines) in shown for lines in TABLES.values())


def test_every_strategy_of_teams_is_described():
    rows = re.findall(r'^\| "([\w-]+)" \|', section("sharing.md: Settings"), flags=re.MULTILINE)

    assert rows == list(STRATEGIES)


@pytest.mark.parametrize("name", ["first_play_urgency", "virtual_loss", "expand_at"])
def test_a_setting_of_the_search_stands_in_one_declaration_and_one_row(name):
    files = [*(ROOT / "mcts_cluster").rglob("*.py"), *(ROOT / "docs").glob("*.md")]
    # Of documents, the rows of tables of settings; what a setting was worth is another thing.
    declared = [
        (path.name, line)
        for path in files
        for line in path.read_text().splitlines()
        if re.search(rf"^\s*{name}: |^\| `{name}` \|", line)
    ]
    naming = {path.name for path in files if path.suffix == ".py" and name in path.read_text()}

    assert [file for file, _ in declared] == ["mcts.py", "search.md"]
    assert naming == {"mcts.py"}
