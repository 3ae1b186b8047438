"""The verb `solve`, as a command."""

import pytest

import mcts_cluster.__main__ as command


def solve(capsys, *words):
    status = command.main(["solve", *words])
    return status, *capsys.readouterr()


def test_the_value_and_the_best_moves_are_printed_below_the_board(capsys):
    status, out, err = solve(capsys, "--size", "2")

    assert (status, err) == (0, "")
    lines = out.splitlines()
    assert lines[0] == "      a b"
    assert lines[-2] == "white wins: a1 b1 a2 c2 b3 c3"
    assert lines[-1].endswith(" nodes")


@pytest.mark.parametrize(
    ("moves", "line"),
    [
        ("b2", "black wins: a1 b1 a2 c2 b3 c3"),
        ("a1", "black loses: b1 a2 b2 c2 b3 c3"),
        ("a1 a2 b1", "the game is over: white wins by bridge: a1 b1"),
    ],
)
def test_a_position_is_given_by_its_moves(moves, line, capsys):
    _, out, _ = solve(capsys, "--size", "2", *moves.split())

    assert line in out.splitlines()


def test_a_position_too_big_ends_with_a_line(capsys):
    status, _, err = solve(capsys, "--size", "5", "--nodes", "1000")

    assert status == 2
    assert err == (
        "mcts-cluster: not solved within 1,000 nodes; increase --nodes, or play more moves\n"
    )


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--size", "1"], "game.size: 1 is too small, must be at least 2"),
        (["--size", "2", "a1", "a1"], "move 2: black cannot play a1: occupied"),
        (["--nodes", "0"], "--nodes: 0 must be from 1 to 1,000,000,000,000"),
        (["--nodes", "9" * 20], f"--nodes: {'9' * 20} must be from 1 to 1,000,000,000,000"),
        (["--size", "2", "a9"], "move 1: 'a9' is off the board"),
    ],
)
def test_mistakes_are_shown_in_a_line(words, message, capsys):
    status, out, err = solve(capsys, *words)

    assert (status, out, err) == (2, "", f"mcts-cluster: {message}\n")


def test_the_swap_rule_may_be_on(capsys):
    _, out, _ = solve(capsys, "--size", "2", "--swap", "b1", "swap")

    assert "white loses: a1 a2 b2 c2 b3 c3" in out.splitlines()


def test_a_finished_game_is_not_solved(capsys):
    _, out, _ = solve(capsys, "--size", "2", "a1", "a2", "b1")

    assert out.splitlines()[-1] == "the game is over: white wins by bridge: a1 b1"
