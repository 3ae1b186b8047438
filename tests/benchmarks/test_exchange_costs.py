"""What an exchange costs: what is measured and how it is shown, but not how long anything takes."""

import json

import pytest

import mcts_cluster.__main__ as command
from mcts_cluster.benchmarks import exchange_costs
from mcts_cluster.benchmarks.exchange_costs import ExchangeCost, Measured
from mcts_cluster.parallel.ranks import ALONE

PERIOD = 20


@pytest.fixture
def run(capsys, monkeypatch):
    """Run the command in this process; return its status, its output and its error lines."""
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.delenv("FORCE_COLOR", raising=False)
    boards = {name: (*board[:2], PERIOD) for name, board in exchange_costs.BOARDS.items()}
    monkeypatch.setattr(exchange_costs, "BOARDS", boards)

    def start(*words):
        status = command.main(["bench", "exchanges", "--rounds", "1", *words])
        said = capsys.readouterr()
        return status, said.out, said.err

    return start


def test_json_is_all_that_was_measured(run):
    status, out, err = run("--json")

    measured = Measured.from_object(json.loads(out))
    assert (status, err) == (0, "")
    assert (measured.ranks, measured.hosts, measured.sums) == (1, 1, ())
    assert [(f"{x.board}.{x.sharing}", x.machines) for x in measured.exchanges] == [
        (name, machines)
        for name in exchange_costs.WORKLOADS
        for machines in exchange_costs.MACHINES
    ]
    assert all(x.cpu_seconds > 0 and x.seconds > 0 for x in measured.exchanges)
    assert json.loads(json.dumps(measured.as_object())) == json.loads(out)


def test_the_table_has_a_line_a_measurement(run):
    _, out, _ = run("--only", "go9")

    rows = [line.split() for line in out.splitlines() if line.startswith("│ go")]
    assert [row[1] for row in rows] == ["go9.slow-root"] * 2 + ["go9.slow-tree"] * 2
    assert "a sum" not in out


def test_machines_on_a_rank_may_be_chosen(run):
    _, out, _ = run("--only", "go9.slow-root", "--json", "--machines", "3", "--machines", "6")

    assert [one["machines"] for one in json.loads(out)["exchanges"]] == [3, 6]


@pytest.mark.parametrize("number", ["0", "1001"])
def test_a_number_of_machines_that_is_not_allowed_is_told(number, run):
    said = f"mcts-cluster: --machines: {number} must be from 1 to 1000\n"

    assert run("--machines", number) == (2, "", said)


def test_of_slow_root_a_board_says_how_many_bytes(monkeypatch):
    monkeypatch.setitem(exchange_costs.BOARDS, "go9", ("go", 9, 100))
    found = exchange_costs.exchange("go9", "slow-root", 2, ALONE, 1)

    # Of each move a proof and four numbers; of the root two; and how many are done.
    assert (found.sums, found.nodes, found.bytes) == (1, 1, 8 * (82 + 4 * 82 + 2 + 1))


def test_a_node_is_counted_once(monkeypatch):
    monkeypatch.setitem(exchange_costs.BOARDS, "go9", ("go", 9, 100))
    root, tree = (
        exchange_costs.exchange("go9", strategy, 2, ALONE, 1)
        for strategy in exchange_costs.STRATEGIES
    )

    assert tree.nodes > 1
    done = 8 * (tree.sums - root.sums)
    assert tree.bytes - root.bytes == pytest.approx(32 * 82 * (tree.nodes - 1) + done)


def test_figures_are_medians_and_the_wall_is_the_least():
    found = [ExchangeCost("go9", "slow-root", 1, *[x] * 5) for x in (3.0, 1.0, 7.0)]

    assert exchange_costs.middle(found) == ExchangeCost(
        "go9", "slow-root", 1, 3.0, 3.0, 3.0, 3.0, 1.0
    )


@pytest.mark.parametrize("words", [("--compare", "x"), ("--patterns", "x")])
def test_options_of_speed_are_unknown(words, run, capsys):
    with pytest.raises(SystemExit):
        run(*words)

    assert f"unrecognized arguments: {' '.join(words)}" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--only", "go13"), "--only go13: must be one of go9.slow-root, "),
        (("--rounds", "0"), "--rounds: 0 is too small, must be at least 1"),
    ],
)
def test_senseless_wishes_are_refused(words, message, run):
    status, out, err = run(*words)

    assert (status, out) == (2, "")
    assert err.startswith(f"mcts-cluster: {message}")


def test_ranks_measure_together_and_the_first_one_tells(mpiexec):
    words = ["bench", "exchanges", "--only", "go19", "--rounds", "1", "--json"]
    code = (
        "import sys\n"
        "from mcts_cluster import __main__ as command\n"
        "from mcts_cluster.benchmarks import exchange_costs\n"
        f"exchange_costs.BOARDS['go19'] = ('go', 19, {PERIOD})\n"
        f"sys.exit(command.main({words}))"
    )

    ended = mpiexec(2, "-c", code)

    assert (ended.returncode, ended.stderr) == (0, "")
    measured = Measured.from_object(json.loads(ended.stdout))
    assert (measured.ranks, measured.hosts) == (2, 1)
    assert [one.numbers for one in measured.sums] == list(exchange_costs.NUMBERS)
    assert all(one.seconds > 0 for one in measured.sums)
    assert all(one.seconds > 0 for one in measured.exchanges)
