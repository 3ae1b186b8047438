"""Teams of ranks: of one host as far as possible, none in two of them, few left over."""

from collections import Counter
from itertools import chain

import pytest
from hypothesis import given
from hypothesis import strategies as some

from mcts_cluster.parallel.placement import placed


def on(*counts):
    """Return the host of each rank, host by host: the master is the first one of the first."""
    return [f"node{number}" for number, count in enumerate(counts, 1) for _ in range(count)]


@pytest.mark.parametrize("size", [2, 4, 8])
@pytest.mark.parametrize("nodes", [2, 4, 8])
def test_even_nodes_with_a_rank_more_have_no_rank_left_over(nodes, size):
    placement = placed(on(33, *[32] * (nodes - 1)), size)

    assert placement.idle == ()
    assert len(placement.teams) == nodes * 32 // size
    assert all(len({placement.hosts[rank] for rank in team}) == 1 for team in placement.teams)


def test_even_nodes_without_it_leave_a_team_less_than_whole():
    placement = placed(on(32, 32), 8)

    assert len(placement.teams) == 7
    assert placement.idle == tuple(range(25, 32))
    assert str(placement) == (
        "7 teams of 8 ranks, 3 on node1, 4 on node2; 7 ranks left over on node1"
    )


def test_what_hosts_have_left_forms_teams_too():
    placement = placed(on(4, 6, 5), 4)

    # Three, six and five ranks play: two teams of one host, and one of what is left.
    assert placement.teams == ((1, 2, 3, 8), (4, 5, 6, 7), (10, 11, 12, 13))
    assert placement.idle == (9, 14)
    assert str(placement) == (
        "3 teams of 4 ranks, 1 on node1 and node2, 1 on node2, 1 on node3; "
        "2 ranks left over on node2 and node3"
    )


def test_hosts_may_take_turns():
    placement = placed(["a", "b", "a", "b", "a", "b"], 2)

    assert placement.teams == ((1, 3), (2, 4))
    assert placement.leaders == [1, 2]
    assert [placement.team_of(rank) for rank in range(6)] == [None, 0, 1, 0, 1, None]
    assert str(placement) == "2 teams of 2 ranks, 1 on b, 1 on a; 1 rank left over on b"


def test_one_team_is_told_as_one():
    assert str(placed(on(3), 2)) == "1 team of 2 ranks, 1 on node1"


@given(
    hosts=some.lists(some.sampled_from("abcd"), min_size=1, max_size=40), size=some.integers(2, 9)
)
def test_every_rank_but_the_master_is_in_one_team_or_left_over(hosts, size):
    placement = placed(hosts, size)

    found = [*chain(*placement.teams), *placement.idle]
    assert sorted(found) == list(range(1, len(hosts)))
    assert {len(team) for team in placement.teams} <= {size}
    assert len(placement.idle) < size
    # No host could have had another team of its own.
    alone = [{hosts[rank] for rank in team} for team in placement.teams]
    own = Counter(host for names in alone if len(names) == 1 for host in names)
    ranks = Counter(hosts[1:])
    assert all(own[host] >= ranks[host] // size for host in ranks)
