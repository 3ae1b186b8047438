"""The player with a tree: what it keeps from move to move, its budgets, and what it tells."""

import resource
from dataclasses import fields, replace
from pathlib import Path
from time import monotonic

import pytest
from conftest import rest_in_proof

from cext.go import Go
from cext.go_policy import GoPolicy
from cext.havannah import Havannah
from cext.havannah_policy import HavannahPolicy
from cext.policy import Policy
from cext.search import Search
from mcts_cluster import games
from mcts_cluster.errors import UserError
from mcts_cluster.gtp.arguments import one_player
from mcts_cluster.players import mcts
from mcts_cluster.players.mcts import BANDITS, POLICY_SETTINGS, Mcts, SearchSettings
from mcts_cluster.seeds import seed

UCT = Mcts(simulations=300, megabytes=10, **BANDITS["uct"])
MOGO = Mcts(simulations=300, megabytes=10)
PLAYERS = pytest.mark.parametrize("player", [UCT, MOGO], ids=["uct", "mogo"])


def in_session(player, *moves, name="go", game_seed=1, **settings):
    game = games.new(name, **{"size": 5} | settings)
    for move in moves:
        game.play(move)
    return game, player.session(game, game_seed)


def visits(session):
    """Return how many simulations the tree has of the position that the game has reached."""
    return int(session.follow().tree.array()[0]["visits"])


def best(session):
    return session.estimates()[0]


# Which move


@PLAYERS
def test_the_move_is_the_one_that_a_search_visits_most(player):
    game, session = in_session(player, "C3")
    search = player.search(game.core)
    search.run(300, seed(1, game.core.ply))

    assert session.choose() == search.best_move()


def test_with_the_uct_bandit_the_search_is_the_one_of_the_paper():
    search = Search(Go(9), widening=3.0, nodes=100_000)
    search.run(500, seed(7, 0))
    _, session = in_session(replace(UCT, simulations=500, widening=3.0), size=9, game_seed=7)

    assert session.choose() == search.best_move()
    assert session.search.tree.array().tolist() == search.tree.array().tolist()


@pytest.mark.parametrize("name", ["go", "havannah"])
@PLAYERS
def test_the_same_seed_gives_the_same_game_and_another_one_another(player, name):
    def play(game_seed):
        game, session = in_session(player, name=name, game_seed=game_seed)
        for _ in range(8):
            game.play_number(session.choose())
        return game.numbers

    games = [play(number) for number in (1, 1, 2, 3, 4)]
    assert games[0] == games[1]
    assert len(set(map(tuple, games))) > 1


@pytest.mark.parametrize(("size", "plies"), [(9, 1), (9, 30), (19, 1), (19, 121)])
@PLAYERS
def test_black_and_white_are_searched_alike(player, size, plies):
    """White sees of a position what Black sees of the one with the colours changed."""
    moves = Go(size).playout_moves(3)[:plies]
    black, white = Go(size, komi=7.5), Go(size, komi=-7.5)
    white.play(white.points)
    for move in moves:
        black.play(move)
        white.play(move)
    searches = [player.search(core) for core in (black, white)]
    for search in searches:
        search.run(300, 5)
    one, other = (search.children() for search in searches)

    for field in ("move", "visits", "rave_visits", "prior_visits"):
        assert one[field].tolist() == other[field].tolist()
    # Results are of Black, and there is no draw.
    assert (one["results"] + other["results"] == 2 * one["visits"]).all()
    assert (one["rave_results"] + other["rave_results"] == 2 * one["rave_visits"]).all()


@PLAYERS
def test_a_game_is_looked_at_and_never_changed(player):
    game, session = in_session(player, "C3")
    before = str(game)

    session.choose()
    session.think(0.01)
    session.estimates()
    session.owners(10, 1)

    assert str(game) == before


@PLAYERS
def test_two_simulations_are_enough_for_a_move(player):
    game, session = in_session(replace(player, simulations=2))

    assert game.core.is_legal(session.choose())


# Whoever plays E2 takes the other one's stones below.
DECIDED_AT_E2 = """
    . . . . .
    X X X X X
    O O O O O
    O O O O .
    X X X X X"""


@PLAYERS
@pytest.mark.parametrize("color", ["black", "white"])
def test_the_move_that_decides_a_game_is_found_and_its_rate_is_of_who_moves(player, color):
    game = games.from_text(DECIDED_AT_E2, to_play=color, komi=0.5)
    session = player.session(game, 1)

    assert game.core.name(session.choose()) == "E2"
    assert best(session).rate > 0.6
    game.play("E2")
    session.choose()
    assert best(session).rate < 0.4


@pytest.mark.parametrize(("komi", "wins"), [(0.5, True), (30.5, False)])
def test_a_long_game_that_a_pass_wins_is_ended_by_it(komi, wins):
    game, session = in_session(MOGO, komi=komi)
    seen = []
    for stone in range(13):
        seen.append(session.wins_by_passing())
        game.play_number(stone)
        game.play("pass")

    # White may have passed because it is told to: not before there are as many plies as points.
    assert not any(seen)
    assert session.wins_by_passing() == wins
    assert (session.choose() == game.core.points and session.estimates() == []) == wins


# The tree from move to move


def test_the_tree_below_a_move_is_kept():
    game, session = in_session(MOGO)
    session.choose()
    line = best(session)

    game.play_number(line.moves[0])
    assert visits(session) == line.visits
    game.play_number(line.moves[1])
    kept = visits(session)
    session.choose()

    assert 1 < kept < line.visits
    assert visits(session) == kept + 300


@pytest.mark.parametrize("player", [UCT, replace(MOGO, reuse_tree=False)])
def test_without_reuse_every_search_begins_afresh(player):
    game, session = in_session(player)
    game.play_number(session.choose())

    assert visits(session) == 0
    session.choose()
    assert visits(session) == 300


@PLAYERS
def test_after_an_undo_the_search_is_of_the_position_that_is_there(player):
    game, session = in_session(player)
    game.play_number(session.choose())
    session.choose()
    game.undo()

    assert session.estimates() == []
    assert session.choose() == in_session(player)[1].choose()
    assert visits(session) == 300


@PLAYERS
def test_another_move_after_an_undo_is_another_position(player):
    game, session = in_session(player, "C3")
    session.choose()
    game.undo()
    game.play("B2")
    fresh = in_session(player, "B2")[1]

    assert (session.choose(), session.estimates()) == (fresh.choose(), fresh.estimates())


@PLAYERS
def test_moves_that_the_tree_does_not_know_are_followed(player):
    game, session = in_session(replace(player, simulations=2))
    session.choose()
    for move in ("C3", "B2", "D4", "pass"):
        game.play(move)

    assert game.core.is_legal(session.choose())
    assert visits(session) == 2


@PLAYERS
def test_seats_at_two_games_do_not_know_of_each_other(player):
    game, session = in_session(player)
    other_game, other = in_session(player, "C3", size=7)

    moves = session.choose(), other.choose()

    assert moves == (in_session(player)[1].choose(), in_session(player, "C3", size=7)[1].choose())
    assert len(other_game.moves) == 1 and game.moves == []


@pytest.mark.parametrize("simulations", rest_in_proof([3000, 20_000], [3000]))
def test_a_full_tree_still_chooses(simulations):
    game, session = in_session(Mcts(simulations=simulations, megabytes=1), size=19)

    assert game.core.is_legal(session.choose())
    assert session.search.tree.used > 0.95 * session.search.tree.capacity
    assert visits(session) == simulations


# Budgets


@PLAYERS
def test_simulations_are_counted_exactly(player):
    _, session = in_session(player)
    session.choose()
    first = visits(session)
    session.choose()

    assert (first, visits(session)) == (300, 600)


def test_seconds_end_a_search():
    _, session = in_session(Mcts(seconds=0.1, megabytes=50), size=9)
    began = monotonic()

    session.choose()

    assert 0.09 < monotonic() - began < 1
    assert visits(session) > 100


@pytest.mark.parametrize(
    ("player", "seconds"),
    [
        (Mcts(simulations=10**9, megabytes=50), 0.02),
        (Mcts(simulations=10**9, seconds=50.0, megabytes=50), 0.02),
        (Mcts(simulations=10**9, seconds=0.02, megabytes=50), 50.0),
        (Mcts(simulations=10**9, seconds=0.02, megabytes=50), None),
    ],
)
def test_the_shorter_time_counts(player, seconds):
    _, session = in_session(player)
    began = monotonic()

    session.choose(seconds)

    assert monotonic() - began < 5


def test_no_time_at_all_is_enough_for_a_move_even_on_a_kept_tree_that_is_a_leaf():
    game, session = in_session(replace(MOGO, simulations=50, expand_at=1000))
    session.choose()
    game.play_number(best(session).move)
    assert visits(session) > 1 and not len(session.search.children())

    assert game.core.is_legal(session.choose(1e-9))


def test_threads_share_the_simulations():
    _, session = in_session(Mcts(simulations=4000, threads=3, megabytes=50), size=9)

    session.choose()

    assert visits(session) == 4000
    assert sum(line.visits for line in session.estimates()) == 3999


def test_an_early_stop_saves_simulations_and_changes_no_move():
    game = games.from_text(DECIDED_AT_E2, to_play="white", komi=0.5)
    player = replace(MOGO, simulations=20_000)
    early = replace(player, stop_early=True).session(game, 1)

    assert early.choose() == player.session(game, 1).choose()
    assert visits(early) < 20_000


def test_a_tree_beyond_the_machine_is_a_mistake():
    before = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (20 * 10**9, before[1]))
    try:
        with pytest.raises(
            UserError, match=r"^megabytes: 59999 is too large, this machine has less memory$"
        ):
            in_session(Mcts(simulations=2, megabytes=59_999))
    finally:
        resource.setrlimit(resource.RLIMIT_AS, before)


# What it tells


@PLAYERS
def test_lines_are_the_moves_that_were_looked_at_the_most_visited_first(player):
    game, session = in_session(player, "C3")
    move = session.choose()

    lines = session.estimates()

    counts = [line.visits for line in lines]
    assert counts == sorted(counts, reverse=True)
    assert sum(counts) == 299
    assert lines[0].move == move
    assert len({line.move for line in lines}) == len(lines)
    for line in lines:
        assert line.moves[0] == line.move
        assert 0 <= line.rate <= 1 and 0 <= line.prior <= 1
        after = game.core.copy()
        for expected in line.moves:
            after.play(expected)


def test_a_line_goes_on_with_the_most_visited_replies():
    game, session = in_session(MOGO)
    session.choose()
    line = best(session)

    game.play_number(line.move)

    assert best(session).moves == line.moves[1:]


@PLAYERS
def test_lines_after_a_choice_are_of_the_position_it_was_chosen_in(player):
    game, session = in_session(player)
    move = session.choose()
    told = session.estimates()

    assert told[0].move == move
    assert session.estimates() == told
    game.play_number(move)
    assert all(line.move != move for line in session.estimates())


def test_priors_are_those_of_the_policy_for_who_moves():
    for to_play in (1, 2):
        game = games.from_text(DECIDED_AT_E2, to_play=("black", "white")[to_play - 1], komi=0.5)
        session = MOGO.session(game, 1)
        session.choose()
        advice = {
            int(a["move"]): a["wins"] / (2 * a["visits"]) for a in GoPolicy().advice(game.core)
        }

        assert {line.move: line.prior for line in session.estimates()} == pytest.approx(
            {line.move: advice[line.move] for line in session.estimates()}
        )


def test_where_there_are_no_priors_they_are_even():
    _, session = in_session(UCT)
    session.choose()

    assert {line.prior for line in session.estimates()} == {0.5}


def test_thinking_adds_to_what_is_known():
    _, session = in_session(MOGO)
    session.choose()

    session.think(0.02)
    after_one = visits(session)
    session.think(0.02)

    assert 300 < after_one < visits(session)


def test_what_is_certain_is_owned():
    game = games.from_text("\n".join([". X . O ."] * 5), komi=0.5)

    owners = MOGO.session(game, 1).owners(200, 3)

    assert len(owners) == 25
    for point, owner in enumerate(owners):
        assert (
            owner > 0.6 if point % 5 < 2 else owner < -0.6 if point % 5 > 2 else -0.5 < owner < 0.5
        )
    assert owners == MOGO.session(game, 1).owners(200, 3) != MOGO.session(game, 1).owners(200, 4)


# Its session


def test_a_session_can_think_and_has_owners():
    _, session = in_session(MOGO)

    assert session.can_think
    assert len(session.owners(2, 1)) == session.game.core.points


def test_each_game_has_its_policy():
    assert type(MOGO.policy_for(Go(5))) is GoPolicy
    assert type(MOGO.policy_for(Havannah(4))) is HavannahPolicy
    assert type(UCT.policy_for(Go(5))) is Policy


@pytest.mark.parametrize("core", [Havannah(4), Go(5)], ids=["havannah", "go"])
def test_settings_that_no_policy_knows_are_refused(core):
    player = Mcts(simulations=2, policy="uniform", policy_settings=(("playout_save", 1),))

    with pytest.raises(
        UserError, match="playout_save: the policy of this game has no such setting"
    ):
        player.search(core)


def test_settings_reach_the_policy():
    plain, other = (
        replace(MOGO, policy_settings=settings).policy_for(Go(9)).advice(Go(9))
        for settings in ((), (("prior_even", 77),))
    )

    assert plain["visits"].tolist() != other["visits"].tolist()
    assert other["visits"].min() >= 77


# docs/search.md


def documented(heading="Settings"):
    """Return the cells of each setting's row below a heading, by name."""
    text = (Path(__file__).parents[2] / "docs" / "search.md").read_text()
    text = text.partition(f"## {heading}\n")[2].partition("\n## ")[0]
    lines = [line for line in text.splitlines() if line.startswith("| `")]
    rows = [[cell.strip(" `") for cell in line.split("|")[1:-1]] for line in lines]
    return {row[0]: row[1:] for row in rows}


def test_every_setting_of_the_search_is_passed_on(monkeypatch):
    passed = {}
    monkeypatch.setattr(mcts, "Search", lambda core, policy, **settings: passed.update(settings))
    values = {"rave": 7.0, "widening": 3.0, "first_play_urgency": 0.5, "bias": 2.0}
    values |= {"expand_at": 5, "virtual_loss": 4, "solve": True, "priors": False}
    values |= {"explore_every": 3}

    Mcts(simulations=9, megabytes=32, **values).search(Go(5))

    assert passed == values | {"exploration": 0.0, "nodes": 1_000_000, "unit": 1}
    assert passed.keys() - {"nodes", "unit"} == {field.name for field in fields(SearchSettings)}


@pytest.mark.parametrize(
    ("core", "player", "nodes"),
    [
        (Go(9), Mcts(simulations=1000), 3 * 1000 * 82),
        (Go(9), Mcts(simulations=1000, seconds=10.0), 3 * 1000 * 82),
        (Go(9), Mcts(simulations=10**9, seconds=0.1), 4_500_000),
        (Go(9), Mcts(seconds=0.1, threads=2), 9_000_000),
        (Go(19), Mcts(simulations=512_000), 125_000_000),
        (Go(9), Mcts(), 125_000_000),
        (Go(9), Mcts(simulations=1000, megabytes=2), 62_500),
    ],
)
def test_the_tree_has_room_for_the_budget(core, player, nodes):
    assert player.room(core) == nodes
    assert player.room(core, machines=2) >= nodes


@pytest.mark.parametrize(("name", "size"), [("go", 5), ("go", 9), ("havannah", 4)])
def test_a_game_by_the_budget_is_never_searched_full(name, size):
    game = games.new(name, size=size)
    player = Mcts(simulations=200)
    session = player.session(game, 1)
    while not game.core.is_over:
        game.play_number(session.choose())

    assert session.full_searches == 0


def test_a_player_may_think_longer_than_its_budget():
    _, session = in_session(Mcts(simulations=10), size=9)
    _, small = in_session(Mcts(simulations=10, megabytes=1), size=9)

    assert session.search.tree.capacity == 500_000_000 // 32
    assert small.search.tree.capacity == 1_000_000 // 32


def test_searches_that_ran_full_are_counted():
    game, session = in_session(Mcts(simulations=4000, megabytes=1), size=9)
    for moves in range(1, 4):
        game.play_number(session.choose())
        assert session.full_searches == moves


def test_nothing_is_more_urgent_than_what_nobody_knows_where_there_is_exploration():
    with_exploration, without = (
        Mcts(simulations=9, megabytes=1, exploration=value).search(Go(5)) for value in (1.0, 0.0)
    )

    assert with_exploration.first_play_urgency == float("inf")
    assert without.first_play_urgency == 1


def test_the_document_has_what_is_better_in_havannah():
    plain, tuned = (one_player({"simulations": 9}, game) for game in ("go", "havannah"))

    assert tuned == replace(plain, solve=True)
    assert "In Havannah, MoGo's bandit has another default: `solve` true." in (
        (Path(__file__).parents[2] / "docs" / "search.md").read_text()
    )


@pytest.mark.parametrize("game", POLICY_SETTINGS, ids=lambda game: game.__name__)
def test_the_document_has_the_defaults_of_each_policy(game):
    rows = documented(f"Settings of the informed policy in {game.__name__}")

    assert {name: int(cells[1]) for name, cells in rows.items()} == POLICY_SETTINGS[game]


@pytest.mark.parametrize(("size", "near"), [(13, 0), (14, 100), (19, 100)])
def test_playouts_of_large_boards_answer_around_the_last_move(size, near):
    board = Go(size)
    told, default = (
        Mcts(simulations=9, policy_settings=settings).policy_for(board)
        for settings in ((("playout_near", near),), ())
    )

    assert mcts.policy_defaults(board) == {**POLICY_SETTINGS[Go], "playout_near": near}
    assert default.playout_moves(board, 1) == told.playout_moves(board, 1)
    assert "On boards of more than 13 rows `playout_near` is 100 by default." in (
        (Path(__file__).parents[2] / "docs" / "search.md").read_text()
    )
