"""A campaign as a fold: the same verdicts for any workers, in any order, however interrupted."""

from dataclasses import dataclass
from heapq import heappop, heappush
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mcts_cluster.bgp import versions
from mcts_cluster.bgp.campaign_state import CampaignState
from mcts_cluster.jobs import jobfile
from mcts_cluster.matches.game_record import GameRecord
from mcts_cluster.matches.schedule import MAX_ATTEMPTS, MAX_TRIES
from mcts_cluster.matches.setup import Task
from mcts_cluster.seeds import seed
from mcts_cluster.storage.campaign_rows import CandidateRow

JOB = """
[game]
size = 5
[player.a]
simulations = 10
[campaign]
player = "a"
iterations = 9
lower = 0.55
upper = 0.65
first_batch = 10
"""


def campaign(more=""):
    return jobfile.read_text(JOB + more).experiment


ONE = campaign()
THREE = campaign("candidates = 3\nshadow_rules = ['paper-1']")
SEVERAL = campaign("candidates = 3\nwinners = 'several'")
PLANTED = (3, 1), (7, 1), (7, 3)
FIRST = versions.key(ONE, ((1, 1),))


def points(task):
    """Return what a candidate gets in a game, more if it is one of those that are better."""
    rate = 0.85 if task.match.place in PLANTED else 0.5
    return float(seed(str(task.match), task.number) % 1000 < 1000 * rate)


def row_of(task, result=None, ended=0.0):
    result = points(task) if result is None else result
    return GameRecord(task.match, task.number, result, "area", attempt=task.attempt, ended=ended)


def in_order(bgp):
    """Play a campaign game by game."""
    return list(played(bgp, 1, Random(1)))


def played(bgp, workers, random):
    """Play with so many workers, whose games end in any order; yield the rows."""
    under_way = []
    while True:
        while len(under_way) < workers and (task := bgp.issue()):
            under_way.append(task)
        if not under_way:
            return
        row = row_of(under_way.pop(random.randrange(len(under_way))))
        bgp.fix(row)
        yield row


def decided(bgp):
    """Return what the games decide: not when that was."""
    ended = [(e.iteration, e.accepted, e.match, e.games) for e in bgp.ended]
    return bgp.looks, ended, bgp.counted, bgp.front.accepted


def simple(of):
    bgp = CampaignState(of)
    in_order(bgp)
    return decided(bgp)


EXPECTED = {id(of): simple(of) for of in (ONE, THREE, SEVERAL)}
either = st.sampled_from([ONE, THREE, SEVERAL])
seeded = st.integers(0, 10**6).map(Random)

many = settings(max_examples=15)


# What comes out


def test_the_better_mutations_are_accepted_and_the_others_are_not():
    bgp = CampaignState(ONE)

    in_order(bgp)

    assert bgp.is_complete
    assert bgp.front.accepted == ((3, 1), (7, 1))
    assert [(race.iteration, race.accepted) for race in bgp.ended if race.accepted] == [
        (3, ((3, 1),)),
        (7, ((7, 1),)),
    ]


def test_an_accepted_mutation_joins_the_baseline():
    bgp = CampaignState(ONE)

    rows = in_order(bgp)

    keys = list(dict.fromkeys(row.match for row in rows))
    names = list(map(str, keys))
    assert names[2:5] == ["a+3 against a", "a+3+4 against a+3", "a+3+5 against a+3"]
    assert names[-1] == "a+3+7+9 against a+3+7"
    assert list(bgp.candidates) == keys
    assert [len(key.accepted) for key in keys] == [0] * 3 + [1] * 4 + [2] * 2


def test_a_baseline_stands_above_those_that_play_against_it():
    bgp = CampaignState(ONE)
    places = (1, 1), (2, 1), (3, 1)

    # A game that was played ahead ends before any of its baseline's.
    bgp.fix(GameRecord(versions.key(ONE, places), 0, 1.0, "area"))

    assert [key.mutations for key in bgp.candidates] == [places[:1], places[:2], places]
    table = [CandidateRow(*key.players, *key.place, len(key.accepted)) for key in bgp.candidates]
    assert list(versions.keys(table)) == list(bgp.candidates)


def test_one_of_several_candidates_is_accepted_and_ends_its_race():
    bgp = CampaignState(THREE)

    in_order(bgp)

    assert {race.accepted for race in bgp.ended if race.iteration == 7} < {((7, 1),), ((7, 3),)}
    key = versions.key(THREE, ((1, 2),))
    assert str(key) == "a+1.2 against a"
    assert bgp.candidates[key].mutation == THREE.mutation((1, 2))


def test_several_candidates_of_a_race_are_accepted_and_join_the_baseline_together():
    bgp = CampaignState(SEVERAL)

    in_order(bgp)

    won = {race.iteration: race.accepted for race in bgp.ended if race.accepted}
    assert {race: {*places} for race, places in won.items()} == {
        3: {(3, 1)},
        7: {(7, 1), (7, 3)},
    }
    assert bgp.front.accepted == won[3] + won[7]
    baselines = {key.iteration: set() for key in bgp.ended}
    for match, _ in bgp.looks:
        baselines[match.place[0]].add(match.accepted)
    # All candidates of a race meet the baseline with which it began.
    assert baselines[7] == {((3, 1),)}
    assert baselines[8] == {bgp.front.accepted}


def test_a_baseline_with_several_winners_stands_above_those_that_play_against_it():
    bgp = CampaignState(SEVERAL)

    in_order(bgp)

    table = [CandidateRow(*key.players, *key.place, len(key.accepted)) for key in bgp.candidates]
    assert list(versions.keys(table)) == list(bgp.candidates)


def test_news_name_all_winners_of_a_race():
    bgp = CampaignState(SEVERAL)
    news = []
    while task := bgp.issue():
        bgp.fix(row_of(task))
        news += bgp.news()

    games = {race.iteration: race.games for race in bgp.ended}
    tags = " and ".join(f"{race}.{number}" for race, number in bgp.front.accepted[1:])
    assert news == [
        f"race 3: 3.1 is accepted after {games[3]:,} games",
        f"race 7: {tags} are accepted after {games[7]:,} games",
    ]


def test_every_look_is_kept_those_of_shadows_too():
    bgp = CampaignState(THREE)

    in_order(bgp)

    assert {look.rule for _, look in bgp.looks} == {"paper-1", "paper-2"}
    last = {match: look.games for match, look in bgp.looks if look.rule == "paper-2"}
    assert last == bgp.counted


def test_alone_no_game_is_played_that_does_not_count():
    for of in (ONE, THREE, SEVERAL):
        bgp = CampaignState(of)
        assert len(in_order(bgp)) == bgp.played == bgp.counted.total()


def test_without_playing_ahead_a_batch_is_waited_for():
    bgp = CampaignState(ONE, plays_ahead=False)

    tasks = list(iter(bgp.issue, None))

    assert tasks == [Task(FIRST, number) for number in range(10)]
    for task in tasks:
        assert bgp.issue() is None
        bgp.fix(row_of(task))
    assert bgp.issue() == Task(FIRST, 10)


def test_ahead_go_on_the_candidates_whose_fate_is_open_and_after_them_the_next():
    bgp = CampaignState(ONE)

    tasks = [bgp.issue() for _ in range(1000)]

    assert tasks[:11] == [Task(FIRST, number) for number in range(11)]
    matches = list(dict.fromkeys(task.match for task in tasks))
    assert list(map(str, matches)) == [f"a+{number} against a" for number in (1, 2, 3, 4)]
    assert len(set(tasks)) == 1000


def test_where_a_mutation_will_probably_be_accepted_games_ahead_are_played_beside_it():
    bgp = CampaignState(ONE)
    tasks = [bgp.issue() for _ in range(10)]
    for task in tasks[:-1]:
        bgp.fix(row_of(task, 1.0))

    ahead = [bgp.issue() for _ in range(200)]

    assert "a+1+2 against a+1" in {str(task.match) for task in ahead}


# The same, whatever happens


@many
@given(either, st.integers(1, 200), seeded)
def test_verdicts_are_the_same_for_any_workers_and_any_order(of, workers, random):
    bgp = CampaignState(of)

    rows = list(played(bgp, workers, random))

    assert decided(bgp) == EXPECTED[id(of)]
    assert bgp.is_complete
    assert len({(row.match, row.number) for row in rows}) == len(rows)


@many
@given(either, st.lists(st.integers(1, 60), min_size=1), seeded)
def test_verdicts_are_the_same_after_any_interruptions(of, runs, random):
    rows = []
    for workers in runs:
        # Some rows reach the file, and what was under way then is lost.
        until = random.randrange(500)
        bgp = CampaignState(of, rows)
        rows += [row for _, row in zip(range(until), played(bgp, workers, random), strict=False)]
        random.shuffle(rows)
    bgp = CampaignState(of, rows)

    list(played(bgp, 3, random))

    assert decided(bgp) == EXPECTED[id(of)]


@many
@given(either, seeded)
def test_a_finished_campaign_is_read_from_rows_in_any_order(of, random):
    rows = list(played(CampaignState(of), 40, random))
    random.shuffle(rows)

    bgp = CampaignState(of, rows)

    assert bgp.is_complete
    assert decided(bgp) == EXPECTED[id(of)]
    assert bgp.issue() is None


def test_null_campaigns_accept_nothing_many_times_over():
    null = campaign("proposer = 'empty'")
    races = 0
    for coin in range(30):
        bgp = CampaignState(null)
        while task := bgp.issue():
            bgp.fix(row_of(task, float(seed(coin, task.match, task.number) % 2)))
        races += len(bgp.ended)
        assert bgp.front.accepted == ()

    assert races == 30 * 9


def test_games_that_do_not_count_are_those_after_the_last_look_or_beside_another_baseline():
    rows = list(played(CampaignState(ONE), 64, Random(2)))

    bgp = CampaignState(ONE, rows)

    counted = [row for row in rows if row.number < bgp.counted[row.match]]
    assert len(counted) == bgp.counted.total() < len(rows)
    assert sorted(counted, key=lambda row: (str(row.match), row.number)) == sorted(
        in_order(CampaignState(ONE)), key=lambda row: (str(row.match), row.number)
    )


def test_a_game_that_was_played_twice_counts_once():
    rows = in_order(CampaignState(ONE))

    bgp = CampaignState(ONE, [row for row in rows for _ in range(2)])

    assert decided(bgp) == EXPECTED[id(ONE)]


def test_more_iterations_continue_a_campaign():
    fewer = jobfile.read_text(JOB.replace("iterations = 9", "iterations = 4")).experiment
    rows = in_order(CampaignState(fewer))

    bgp = CampaignState(ONE, rows)
    assert not bgp.is_complete
    in_order(bgp)

    assert decided(bgp) == EXPECTED[id(ONE)]


def test_a_race_that_is_interrupted_is_undecided():
    rows = in_order(CampaignState(ONE))[:15]

    bgp = CampaignState(ONE, rows)

    assert bgp.ended == []
    assert bgp.front.accepted == ()
    assert [look.games for _, look in bgp.looks] == [10]


# Void games


def test_a_void_game_is_played_again_and_then_with_another_seed():
    bgp = CampaignState(ONE)
    tasks = [bgp.issue() for _ in range(10)]
    void = GameRecord(tasks[3].match, 3, None, "died")

    bgp.fix(void)
    assert bgp.issue() == tasks[3]
    bgp.fix(void)
    assert bgp.issue() == Task(tasks[3].match, 3, attempt=1)


def test_a_game_that_is_void_again_and_again_ends_the_run_and_decides_nothing():
    bgp = CampaignState(ONE)
    tasks = [bgp.issue() for _ in range(10)]
    rows = [row_of(task) for task in tasks[1:]]
    for row in rows:
        bgp.fix(row)
    for attempt in range(MAX_ATTEMPTS):
        for _ in range(MAX_TRIES):
            assert not bgp.is_stuck
            row = GameRecord(tasks[0].match, 0, None, "died", attempt=attempt)
            rows.append(row)
            bgp.fix(row)

    assert bgp.is_stuck
    assert bgp.issue() is None
    assert bgp.looks == []

    again = CampaignState(ONE, rows)
    assert again.issue() == Task(tasks[0].match, 0, attempt=MAX_ATTEMPTS)


# How busy workers are


@dataclass
class Usage:
    busy: float
    games: int
    counted: int


def usage(of, workers, plays_ahead):
    """Play in a time that is only counted: games last from one second to three, for no reason."""
    bgp, now, under_way, busy, order = CampaignState(of, plays_ahead=plays_ahead), 0.0, [], 0.0, 0
    while True:
        while len(under_way) < workers and (task := bgp.issue()):
            seconds = 1 + seed(task.match, task.number, "seconds") % 2000 / 1000
            busy, order = busy + seconds, order + 1
            heappush(under_way, (now + seconds, order, task))
        if bgp.is_complete:
            # Nobody waits for what cannot count any more.
            spent = sum(end - now for end, _, _ in under_way)
            return Usage((busy - spent) / now / workers, bgp.played, bgp.counted.total())
        now, _, task = heappop(under_way)
        bgp.fix(row_of(task))


def test_playing_ahead_leaves_nobody_idle_where_the_serial_order_does():
    ahead, serial = usage(ONE, 64, True), usage(ONE, 64, False)

    assert ahead.busy > 0.95
    assert serial.busy < 0.5
    assert ahead.counted == serial.counted == serial.games


@pytest.mark.parametrize("workers", [1, 2, 64])
def test_few_games_ahead_are_played_in_vain(workers):
    used = usage(ONE, workers, True)

    assert used.counted == EXPECTED[id(ONE)][2].total()
    assert used.games - used.counted < (1 if workers == 1 else workers * len(EXPECTED[id(ONE)][1]))


# Some races of it


def of_races(of, first, end, rows=()):
    """Play some races after the rows of others; return the state and all of its rows."""
    bgp = CampaignState(of, rows, races=range(first, end))
    return bgp, [*rows, *in_order(bgp)]


def test_some_races_are_the_same_as_in_the_whole_if_none_before_them_accepts():
    whole = CampaignState(ONE)
    in_order(whole)

    # Race 3 accepts, and no other one before 7.
    first, rows = of_races(ONE, 1, 4)
    later, more = of_races(ONE, 4, 7, rows)

    assert first.is_complete and later.is_complete
    assert [race.iteration for race in first.ended] == [1, 2, 3]
    assert later.ended == whole.ended[:6]
    assert [bar.done for bar in later.bars()] == [3] and later.missing == ""
    assert more[: len(rows)] == rows


def test_races_that_two_sites_have_played_are_one_campaign():
    _, north = of_races(ONE, 1, 3)
    _, south = of_races(ONE, 3, 7)
    assert not {(row.match, row.number) for row in north} & {
        (row.match, row.number) for row in south
    }

    merged = CampaignState(ONE, [*south, *north])

    assert [race.iteration for race in merged.ended] == [1, 2, 3, 4, 5, 6]
    in_order(merged)
    assert decided(merged) == EXPECTED[id(ONE)]


@pytest.mark.parametrize("of", [ONE, THREE, SEVERAL])
def test_races_on_a_baseline_that_is_another_one_do_not_count_and_are_played_again(of):
    _, north = of_races(of, 1, 5)
    # It does not know what race 3 accepts.
    south, rows = of_races(of, 5, 7)
    assert south.is_complete and {row.match.place[0] for row in rows} == {5, 6}

    merged = CampaignState(of, [*north, *rows])

    assert len(merged.ended) == 4
    assert not any(merged.counted[row.match] for row in rows)
    in_order(merged)
    assert decided(merged) == EXPECTED[id(of)]


def test_races_are_continued_where_they_were_interrupted():
    _, whole = of_races(ONE, 4, 7)

    bgp, rows = of_races(ONE, 4, 7, whole[: len(whole) // 2])

    assert {(row.match, row.number) for row in rows} == {(row.match, row.number) for row in whole}
    assert [race.iteration for race in bgp.ended] == [4, 5, 6]
    assert [race.ended for race in bgp.ended] == [0.0] * 3


def test_races_that_are_over_leave_nothing_to_play():
    rows = in_order(CampaignState(ONE))

    bgp, more = of_races(ONE, 2, 5, rows)

    assert bgp.is_complete and more == rows
    assert [(bar.done, bar.total) for bar in bgp.bars()] == [(3, 3)]
