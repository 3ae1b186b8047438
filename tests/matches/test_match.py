"""Games of a match: who has which colour, what counts as a point, and replaying one."""

from contextlib import closing
from dataclasses import dataclass, field, replace

import pytest

from cext.go import Go
from mcts_cluster import games
from mcts_cluster.games import IllegalMove
from mcts_cluster.jobs.job import Job
from mcts_cluster.matches import match
from mcts_cluster.matches.game_record import GameRecord
from mcts_cluster.matches.matches import Matches
from mcts_cluster.matches.setup import Match, MatchKey
from mcts_cluster.parallel.exchange_stats import NONE
from mcts_cluster.parallel.leader import TeamPlayer
from mcts_cluster.parallel.sharing import STRATEGIES
from mcts_cluster.parallel.sharing.exchange import WIN, Sharing
from mcts_cluster.players.flat import FlatMonteCarlo, Stateless
from mcts_cluster.players.gtp_program import EngineError, NoProgram
from mcts_cluster.players.mcts import Mcts
from mcts_cluster.players.mcts_session import rate_of
from mcts_cluster.seeds import seed


@dataclass
class Script(Stateless):
    """A player who plays these moves, then passes, and keeps what it was asked."""

    moves: tuple[str, ...] = ()
    asked: list = field(default_factory=list)

    def choose(self, game, game_seed):
        self.asked.append((game.players[game.to_play - 1], game_seed))
        turn = game.ply // 2
        return game.number(self.moves[turn] if turn < len(self.moves) else "pass")


def job(a, b, **settings):
    match = Match(MatchKey("a", "b"), 4)
    return Job(1, "go", {"size": 5, **settings}, {"a": a, "b": b}, Matches((match,)))


def with_match(job, **changes):
    """Return a job whose match is another one."""
    [match] = job.experiment.matches
    return replace(job, experiment=Matches((replace(match, **changes),)))


def play(job, number):
    return match.play(job, job.experiment.matches[0], number)


def test_colours_alternate_from_game_to_game():
    a, b = Script(), Script()

    for number in range(4):
        play(job(a, b), number)

    assert [color for color, _ in a.asked] == ["black", "white", "black", "white"]
    assert [color for color, _ in b.asked] == ["white", "black", "white", "black"]


# Without a stone on it the board is nobody's; the only one is worth all 25 points.
@pytest.mark.parametrize(
    ("komi", "first_moves", "number", "points"),
    [
        (7.5, (), 0, 0),
        (7.5, (), 1, 1),
        (-7.5, (), 0, 1),
        (-7.5, (), 1, 0),
        (0, (), 0, 0.5),
        (0, (), 1, 0.5),
        (7.5, ("C3",), 0, 1),
        (-7.5, ("C3",), 1, 1),
    ],
)
def test_points_are_those_of_the_first_named_player_whatever_the_colour(
    komi, first_moves, number, points
):
    row = play(job(Script(first_moves), Script(), komi=komi), number)

    assert row.points == points


def test_a_row_says_which_game_of_which_match_it_was_and_how_long():
    a, b = Script(("C3",)), Script(("B2", "D4"))

    row = play(job(a, b), 2)

    moves = tuple(Go(5).number(name) for name in ("C3", "B2", "pass", "D4", "pass", "pass"))
    expected = seed(1, "a against b", 2)
    assert row == GameRecord(MatchKey("a", "b"), 2, 0.0, "area", moves, seed=expected)
    assert row.plies == 6


def test_both_players_are_given_the_same_seed_and_every_game_another_one():
    a, b = Script(), Script()

    for number in range(3):
        play(job(a, b), number)

    seeds = [seed for _, seed in a.asked]
    assert seeds == [seed for _, seed in b.asked]
    assert len(set(seeds)) == 3


def test_the_same_number_replays_the_same_game():
    once, again = (job(FlatMonteCarlo(30), FlatMonteCarlo(8)) for _ in range(2))

    rows = [play(once, number) for number in range(4)]

    assert [play(again, number) for number in (3, 1, 2, 0)] == [rows[n] for n in (3, 1, 2, 0)]


def test_games_are_those_of_the_job_settings():
    seen = set()

    class Watcher(Script):
        def choose(self, game, game_seed):
            seen.add((game.size, game.komi, game.superko))
            return super().choose(game, game_seed)

    play(job(Watcher(), Watcher(), size=7, komi=0.5, superko="situational"), 0)

    assert seen == {(7, 0.5, "situational")}


def test_white_begins_a_handicap_game():
    a, b = Script(), Script()

    play(job(a, b, size=9, handicap=2), 0)

    assert a.asked[0][0] == "black"
    assert b.asked[0][0] == "white"


def test_an_illegal_move_of_a_player_is_refused():
    with pytest.raises(IllegalMove) as refused:
        play(job(Script(("C3",)), Script(("C3",))), 0)

    assert str(refused.value) == "move 2: white cannot play C3: occupied"


def test_the_games_of_a_pair_have_the_same_opening_with_colours_swapped():
    a, b = Script(), Script()
    playing = job(a, b)
    playing = with_match(playing, opening=3)

    rows = [play(playing, number) for number in range(4)]

    first, second, third, fourth = (row.moves[:3] for row in rows)
    assert first == second != third == fourth
    assert all(len(row.moves) == 5 for row in rows)
    # After three moves it is the second player's turn.
    assert [color for color, _ in a.asked] == ["black", "white"] * 2
    assert play(playing, 2) == rows[2]
    assert match.play_or_void(playing, playing.experiment.matches[0], 1, 1).moves[:3] == first


# Resigning

THINKER = Mcts(simulations=20, megabytes=1)
THINKERS = {
    "alone": THINKER,
    **{strategy: TeamPlayer(THINKER, Sharing(strategy, machines=2)) for strategy in STRATEGIES},
}


def resigning(playing, below):
    return with_match(playing, resign_below=below)


@pytest.mark.parametrize("thinker", THINKERS.values(), ids=THINKERS)
@pytest.mark.parametrize(
    ("komi", "number", "resigns"), [(90, 0, True), (90, 1, False), (-90, 0, False), (-90, 1, True)]
)
def test_a_player_without_hope_resigns(thinker, komi, number, resigns):
    playing = job(thinker, Script(), komi=komi)
    to_the_end = play(playing, number)

    row = play(resigning(playing, 0.05), number)

    assert row.points == to_the_end.points == (0 if resigns else 1)
    assert row.how == ("resigned" if resigns else "area")
    assert row.plies == number if resigns else row.moves == to_the_end.moves
    assert row.simulations[0] == (thinker_budget(thinker) if resigns else to_the_end.simulations[0])


def thinker_budget(thinker):
    return thinker.simulations * max(1, thinker.machines)


def test_who_expects_enough_plays_on():
    playing = job(THINKER, FlatMonteCarlo(20))
    rows = [play(playing, number) for number in range(4)]

    assert [play(resigning(playing, 1e-9), number) for number in range(4)] == rows
    assert {row.how for row in rows} == {"area"}


def test_who_foresees_nothing_never_resigns():
    row = play(resigning(job(FlatMonteCarlo(20), Script(), komi=90), 0.5), 0)

    assert (row.points, row.how) == (0, "area")


@pytest.mark.parametrize("thinker", THINKERS.values(), ids=THINKERS)
def test_what_a_player_expects_is_what_it_tells(thinker):
    game = games.new("go", size=5)
    for _ in range(4):
        with closing(thinker.session(game, 1)) as session:
            move = session.choose()
            told = next(line.rate for line in session.estimates() if line.move == move)

            assert session.expected_result(move) == told
        game.play_number(move)


@pytest.mark.parametrize("machines", [0, 3])
def test_nobody_resigns_a_proven_win_whatever_was_found_before(machines):
    # A search that has lost every simulation, of Black's first move, before it sees the proof.
    thinker = Mcts(simulations=300, megabytes=1, solve=True)
    player = TeamPlayer(thinker, Sharing(machines=machines)) if machines else thinker
    game = games.new("go", size=5, komi=90)
    with closing(player.session(game, 1)) as session:
        move = session.choose()
        assert session.expected_result(move) == 0.0
        if machines:
            proofs = session.decision.proofs.copy()
            proofs[move] += WIN
            session.decision = replace(session.decision, proofs=proofs)
            assert session.expected_result(move) == 1.0
        else:
            child = {"player": 1, "proven": 1}
            assert rate_of(child, 300, 0) == 1.0
            assert rate_of(child | {"proven": 2}, 300, 0) == 0.0


# What is measured


@pytest.mark.parametrize("number", [0, 1])
def test_a_row_says_what_each_player_spent(number):
    thinker = Mcts(simulations=20, megabytes=1)

    row = play(job(Script(), thinker), number)

    turns = row.plies // 2
    # A pass that wins at once is not thought about.
    assert row.simulations in [(0, 20 * turns), (0, 20 * (turns - 1))]
    assert 0 < row.seconds[0] < row.seconds[1] < row.ended - row.began + 0.1


@pytest.mark.parametrize("number", [0, 1])
def test_a_row_says_what_a_team_exchanged(number):
    team = TeamPlayer(Mcts(simulations=20, megabytes=1), Sharing(machines=3, period=5))

    row = play(job(Script(), team), number)

    nothing, found = row.exchanges
    turns = row.simulations[1] // 60
    assert nothing == NONE
    assert turns > 0
    assert (found.exchanges, found.late_simulations) == (4 * turns, 0)
    assert found.exchange_bytes > 0 and 0 < found.exchange_seconds < row.seconds[1]
    assert (found.min_simulations, found.max_simulations) == (20 * turns, 20 * turns)
    # And of each move.
    assert [(one.player, one.ply) for one in row.searches] == [
        (1, 2 * turn + 1 - number) for turn in range(turns)
    ]
    moves = [one.exchanges for one in row.searches]
    assert {(one.exchanges, one.min_simulations) for one in moves} == {(4, 20)}
    assert sum(one.exchange_bytes for one in moves) == found.exchange_bytes
    assert sum(one.exchange_seconds for one in moves) == pytest.approx(found.exchange_seconds)


def test_what_is_measured_is_not_compared():
    first, second = (play(job(Script(), Script()), 0) for _ in range(2))

    assert first == second
    assert first.began < second.began


# Void games


class Spoiler(Script):
    """A player who raises something at its second move."""

    def __init__(self, error):
        super().__init__(("C3",))
        self.error = error

    def choose(self, game, game_seed):
        if game.ply >= 2:
            raise self.error
        return super().choose(game, game_seed)


@pytest.mark.parametrize("error", [EngineError("it died,\nit seems"), IllegalMove("move 3: no")])
def test_a_game_that_went_wrong_is_void_and_says_why(error):
    playing = job(Spoiler(error), Script())

    row = match.play_or_void(playing, playing.experiment.matches[0], 0)

    moves = (Go(5).number("C3"), 25)
    why = " ".join(str(error).split())
    expected = seed(1, "a against b", 0)
    assert row == GameRecord(MatchKey("a", "b"), 0, None, why, moves, seed=expected)


def test_a_void_game_tells_of_the_work_that_was_done():
    playing = job(Spoiler(EngineError("it died")), THINKER)

    row = match.play_or_void(playing, playing.experiment.matches[0], 0)

    assert (row.points, row.simulations) == (None, (0, 20))


def test_another_attempt_has_another_seed():
    a = Script()
    playing = job(a, Script())

    [ours] = playing.experiment.matches
    seeds = [match.play_or_void(playing, ours, 0, n).seed for n in range(3)]

    path = (1, "a against b", 0)
    assert seeds == [seed(*path), seed(*path, 1), seed(*path, 2)]
    assert seeds == list(dict.fromkeys(asked for _, asked in a.asked))


@pytest.mark.parametrize("error", [NoProgram("none"), ZeroDivisionError("a defect")])
def test_what_would_spoil_every_game_is_no_void_game(error):
    playing = job(Spoiler(error), Script())

    with pytest.raises(type(error)):
        match.play_or_void(playing, playing.experiment.matches[0], 0)


# White's structures on size 4, with Black's stones elsewhere; the last one of White wins.
@pytest.mark.parametrize(
    ("white", "how"),
    [
        ("c3 d3 e4 e5 d5 c4", "ring"),
        ("a1 b1 c1 d1", "bridge"),
        ("a2 b2 b1 c2 d2 e2", "fork"),
    ],
)
def test_a_row_says_by_what_a_game_of_havannah_was_won(white, how):
    apart = ("g7", "e7", "g5", "a4", "b5", "d7")
    playing = job(Script(tuple(white.split())), Script(apart))

    row = play(replace(playing, game="havannah", settings={"size": 4}), 0)

    assert (row.points, row.how) == (1, how)
