"""The verb `bench master` where it cannot measure; tests/running has it on ranks."""

import pytest

import mcts_cluster.__main__ as command


@pytest.mark.parametrize(
    ("words", "mistake"),
    [
        (("nan",), "SECONDS: nan must be a number of at least 0"),
        (("-1",), "SECONDS: -1 must be a number of at least 0"),
        (("1", "--games", "0"), "--games: 0 is too small, must be at least 1"),
        (("1",), "bench master must run under MPI: mpirun -n 3 mcts-cluster bench master 0"),
    ],
)
def test_a_master_that_cannot_be_measured_is_refused(words, mistake, capsys):
    assert command.main(["bench", "master", *words]) == 2
    assert capsys.readouterr().err == f"mcts-cluster: {mistake}\n"
