"""What the model of an exchange says of more ranks, its tables and its picture."""

import json

import pytest

from mcts_cluster.__main__ import main
from mcts_cluster.benchmarks import exchange_model
from mcts_cluster.benchmarks.exchange_costs import ExchangeCost, Measured, SumTime
from mcts_cluster.benchmarks.exchange_model import Group, Network, Shape

# A round: 10 µs, and 1 ns a byte beyond 800 of them.
TWO = Measured(
    2,
    1,
    2,
    (
        ExchangeCost("go9", "slow-root", 1, 1.0, 1.0, 3_000.0, 2e-4, 2.2e-4),
        ExchangeCost("go9", "slow-root", 4, 1.0, 1.0, 3_000.0, 8e-4, 9e-4),
        ExchangeCost("go9", "slow-tree", 1, 3.0, 11.0, 33_000.0, 3e-4, 4e-4),
    ),
    (SumTime(1, 1e-5), SumTime(100, 1e-5), SumTime(1100, 1.8e-5)),
)
FOUR = Measured(4, 4, 2, TWO.exchanges, tuple(SumTime(x.numbers, 1e-3) for x in TWO.sums))
NETWORK = Network.of(TWO)


@pytest.mark.parametrize(
    ("ranks", "rounds"), [(1, 0), (2, 1), (3, 2), (4, 2), (5, 3), (32, 5), (4096, 12)]
)
def test_ranks_are_halved_so_often(ranks, rounds):
    assert exchange_model.rounds_of(ranks) == rounds


@pytest.mark.parametrize(
    ("size", "seconds"), [(1, 1e-5), (800, 1e-5), (4_800, 1.4e-5), (8_800, 1.8e-5), (10_800, 2e-5)]
)
def test_a_round_lies_between_what_was_measured_or_beyond(size, seconds):
    assert NETWORK.round(size) == pytest.approx(seconds)
    assert NETWORK.sum(32, size) == pytest.approx(5 * seconds)


def test_a_round_is_what_a_sum_over_more_ranks_has_several_of():
    assert Network.of(FOUR).round(8) == pytest.approx(5e-4)


def test_noise_does_not_make_bytes_a_gift():
    falling = Network((8.0, 80.0), (2e-5, 1e-5))

    assert falling.round(10**6) == 1e-5


def test_an_exchange_is_its_processor_time_and_its_sums():
    shape = Shape("x", 3e-4, 3.0, 14_400.0)

    assert shape.seconds(1, NETWORK) == pytest.approx(3e-4)
    assert shape.seconds(32, NETWORK) == pytest.approx(3e-4 + 3 * 5 * 1.4e-5)


def test_the_largest_shape_has_all_nodes_that_the_threshold_allows():
    *measured, largest = exchange_model.shapes(TWO)

    assert [shape.name for shape in measured] == ["go9.slow-root", "go9.slow-tree"]
    # Twenty nodes on each of three levels, of 10 µs and 3,000 bytes each.
    assert largest.name == "go9.slow-tree at most"
    assert (largest.cpu_seconds, largest.sums, largest.bytes) == pytest.approx((8e-4, 4, 183_000))


@pytest.fixture
def files(tmp_path):
    paths = []
    for measured in (TWO, FOUR):
        path = tmp_path / f"{measured.ranks}.json"
        path.write_text(json.dumps(measured.as_object()))
        paths.append(str(path))
    return paths


@pytest.fixture
def run(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.delenv("FORCE_COLOR", raising=False)

    def start(*words):
        status = main(["bench", "predict", *words])
        said = capsys.readouterr()
        return status, said.out, said.err

    return start


def test_hosts_are_a_network_of_their_own(files, run):
    _, out, _ = run(*files)

    assert "a sum, one host" in out and "a sum, hosts" in out


def test_measured_sums_stand_beside_those_of_the_model(tmp_path, run):
    paths = [tmp_path / "a", tmp_path / "b"]
    for path, measured in zip(paths, (FOUR, Measured(8, 4, 2, (), FOUR.sums)), strict=True):
        path.write_text(json.dumps(measured.as_object()))

    _, out, _ = run(*(str(path) for path in reversed(paths)))

    rows = [line.replace("│", " ").split() for line in out.splitlines()]
    assert ["4", *["1.000", "1.000"] * 3] in rows
    assert ["8", *["1.000", "1.500"] * 3] in rows


def test_the_table_has_milliseconds_and_percent_of_the_time(files, run):
    _, out, _ = run(files[0])

    rows = [line.replace("│", " ").split() for line in out.splitlines()]
    [row] = [row for row in rows if row[:1] == ["go9.slow-root"]]
    # 0.2 ms and five rounds of 12.2 µs.
    assert row[1:3] == ["0.26", "0.08"]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("{}", "must be output of bench exchanges --json"),
        ("not json", "must be output of bench exchanges --json"),
        ("[]", "must be output of bench exchanges --json"),
        (None, "No such file or directory"),
    ],
)
def test_another_file_is_refused_in_a_line(content, message, tmp_path, run):
    path = tmp_path / "x.json"
    if content is not None:
        path.write_text(content)

    assert run(str(path)) == (2, "", f"mcts-cluster: {path}: {message}\n")


def test_one_rank_alone_says_nothing_of_more(tmp_path, run):
    path = tmp_path / "1.json"
    path.write_text(json.dumps(Measured(1, 1, 2, TWO.exchanges, ()).as_object()))

    status, _, err = run(str(path))

    assert (status, err) == (
        2,
        f"mcts-cluster: {path}: measured on 1 rank, must be at least 2 (mpirun)\n",
    )


# The picture


def test_lines_are_the_model_and_points_what_was_measured():
    pytest.importorskip("matplotlib")
    left, right = exchange_model.drawn([Group("one host", [TWO])], exchange_model.shapes(TWO)).axes

    lines = {line.get_label(): line.get_xydata().tolist() for line in left.lines}
    assert lines["one host, 8 bytes"][4] == pytest.approx([32, 0.05])
    assert [[2, pytest.approx(0.4)]] in [line.get_xydata().tolist() for line in right.lines]


def test_a_picture_is_a_file(files, tmp_path, run):
    pytest.importorskip("matplotlib")
    out = tmp_path / "cost.png"

    assert run(*files, "-o", str(out))[0] == 0
    assert out.read_bytes().startswith(b"\x89PNG")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["2.json", "4.json", "cost.png"]


def test_a_picture_of_another_kind_is_refused(files, run):
    assert run(*files, "-o", "x.gif")[::2] == (
        2,
        "mcts-cluster: -o x.gif: must end with one of .png, .svg, .pdf\n",
    )
