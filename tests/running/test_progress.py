"""What a run says of itself while it plays."""

from io import StringIO
from types import SimpleNamespace

import pytest
from rich.console import Console

from mcts_cluster.matches.experiment import Bar
from mcts_cluster.running.progress import MAX_IN_A_LINE, View


@pytest.mark.parametrize(("matches", "end"), [(3, "m2 50 % of 4"), (100, "; and 88 more")])
def test_a_line_names_some_matches_and_counts_the_others(matches, end):
    bars = [Bar("games", 400, 800), *(Bar(f"m{i}", 4, 8, "50 %") for i in range(matches))]
    plan = SimpleNamespace(bars=lambda: iter(bars), left=400, noun="game")
    view = View(plan, Console(file=StringIO()))

    *_, told = view.standing()

    assert told.startswith("m0 50 % of 4; m1 50 % of 4; ")
    assert told.endswith(end)
    assert told.count(" of 4") == min(matches, MAX_IN_A_LINE)
