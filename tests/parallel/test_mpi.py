"""What can be said of ranks without starting any; tests/mpi starts them."""

import pytest

from mcts_cluster.errors import UserError
from mcts_cluster.parallel import mpi, mpi_ranks


@pytest.fixture(autouse=True)
def no_launcher(monkeypatch):
    for name in mpi.COUNTS:
        monkeypatch.delenv(name, raising=False)


@pytest.mark.parametrize("name", mpi.COUNTS)
def test_a_launcher_tells_that_there_are_several_ranks(name, monkeypatch):
    assert mpi.launched() == 1
    for said, count in (("1", 1), ("", 1), ("2", 2), ("32", 32)):
        monkeypatch.setenv(name, said)

        assert mpi.launched() == count


class Request:
    """A request that is complete when it has been looked at so often."""

    def __init__(self, looks):
        self.looks = looks

    def Test(self):
        self.looks -= 1
        return self.looks <= 0


@pytest.fixture
def pauses(monkeypatch):
    pauses = []
    monkeypatch.setattr(mpi_ranks, "sleep", pauses.append)
    return pauses


def test_what_comes_soon_is_waited_for_awake(pauses):
    mpi_ranks.wait(Request(mpi_ranks.LOOKS))

    assert pauses == []


@pytest.mark.parametrize("longest", [1e-4, 5e-3])
def test_what_comes_late_is_waited_for_asleep_longer_and_longer(longest, pauses):
    mpi_ranks.wait(Request(mpi_ranks.LOOKS + 20), longest)

    assert len(pauses) == 19
    assert pauses == sorted(pauses)
    assert (pauses[0], pauses[-1]) == (mpi_ranks.MIN_SLEEP, longest)


@pytest.mark.parametrize(("awake", "slept"), [(0.0, 19), (2.0, 18), (30.0, 0)])
def test_where_there_are_cores_enough_sums_are_waited_for_awake(awake, slept, pauses, monkeypatch):
    clock = iter(range(100))
    monkeypatch.setattr(mpi_ranks, "monotonic", lambda: next(clock))

    mpi_ranks.wait(Request(mpi_ranks.LOOKS + 20), awake=awake)

    assert len(pauses) == slept


class World:
    """All ranks, of which those on this host may use these cores, and all but some play."""

    def __init__(self, *cores, sleeping=0):
        self.cores = cores
        self.playing = len(cores) - sleeping

    def allgather(self, mine):
        assert mine == mpi.own_cores() != set()
        return self.cores

    def allreduce(self, plays):
        assert plays in (0, 1)
        return self.playing

    def Split_type(self, kind):
        return self

    def Free(self):
        pass


FOUR = {0, 1, 2, 3}


@pytest.mark.parametrize(
    ("cores", "awake"),
    [
        ([FOUR] * 4, mpi_ranks.AWAKE),
        ([FOUR] * 5, 0.0),
        # Those that the launcher has bound, each to its own core or all to the same one.
        ([{0}, {1}, {6}], mpi_ranks.AWAKE),
        ([{1}, {1}], 0.0),
    ],
)
def test_more_ranks_than_cores_do_not_wait_awake(cores, awake):
    assert mpi_ranks.awake(World(*cores)) == awake


def test_a_master_that_sleeps_beside_them_leaves_them_awake():
    beside = World(*[FOUR] * 5, sleeping=1)

    assert mpi_ranks.awake(beside, plays=False) == mpi_ranks.AWAKE


def test_ranks_of_another_library_s_launcher_are_refused(monkeypatch):
    monkeypatch.setenv("SLURM_STEP_NUM_TASKS", "8")

    for joined in (mpi.start, lambda: mpi_ranks.world().__enter__()):
        with pytest.raises(UserError, match=r"^8 processes were started, but .* sees one rank: "):
            joined()
