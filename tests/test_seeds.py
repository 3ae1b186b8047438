"""Seeds against another implementation of BLAKE2b."""

import pytest

from mcts_cluster.seeds import seed

# What `printf '1/a against b/0' | b2sum --length 64` and the like print.
DIGESTS = [
    ((), "e4a6a0577479b2b4"),
    ((0,), "842b7d9d43cddf75"),
    ((1,), "f6fc42039fba3776"),
    ((1, "a against b", 0), "e6dc2f41a477d1b2"),
    ((18446744073709551615, 80, 81), "992c8b891137caec"),
    ((1, "é", 2), "19031f177bf46067"),
]


@pytest.mark.parametrize(("path", "digest"), DIGESTS)
def test_a_seed_is_the_digest_of_its_path_lowest_byte_first(path, digest):
    assert seed(*path).to_bytes(8, "little").hex() == digest


def test_a_seed_is_the_same_number_in_every_version():
    assert seed(1) == 8518482412311870710


def test_every_part_of_a_path_and_their_order_matter():
    paths = [(1, 2, 3), (1, 3, 2), (12, 3), (1, 23), (1, 2), (1, 2, 3, 0)]

    assert len({seed(*path) for path in paths}) == len(paths)
