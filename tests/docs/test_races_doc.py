"""docs/races.md says which stopping rules there are; its settings are in test_settings_doc."""

from pathlib import Path

from mcts_cluster.bgp.stopping_rules import STOPPING_RULES

TEXT = (Path(__file__).parents[2] / "docs" / "races.md").read_text()


def test_it_has_every_rule_and_no_other():
    rows = [line.split("|")[1:-1] for line in TEXT.splitlines() if line.startswith("| `")]

    assert [row[0].strip(" `") for row in rows if len(row) == 3] == list(STOPPING_RULES)


def test_rules_look_as_often_as_it_says():
    assert "0: 2 in the papers' rules, 1.1 in the others" in TEXT
    for name, rule in STOPPING_RULES.items():
        assert rule.growth == (2 if name.startswith("paper") else 1.1)
