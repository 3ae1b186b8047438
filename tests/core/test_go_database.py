"""The database of what people play: the core against a plain transcription, files, learning."""

import gzip
import random
from itertools import product
from math import exp, prod, sqrt

import pytest
from test_go_habits import HABIT_ONLY, chain, liberties, neighbours, position, transcribed

from cext.go import Go
from cext.go_database import CELLS, TABLES, Database, codes_at, codes_of, drawn, observed
from cext.go_policy import GoPolicy
from mcts_cluster import games
from mcts_cluster.__main__ import main
from mcts_cluster.errors import UserError
from mcts_cluster.games import sgf
from mcts_cluster.players import move_model, move_model_training
from mcts_cluster.players.mcts import Mcts

TURNS = [
    lambda r, c, swap=swap, up=up, right=right: (
        up * (c if swap else r),
        right * (r if swap else c),
    )
    for swap, up, right in product((False, True), (1, -1), (1, -1))
]


# The model, word for word


def steps(game, move, color):
    """Return how far the nearest stone of a colour is."""
    row, column = divmod(move, game.size)
    stones = [divmod(m, game.size) for m in range(game.points) if game.color(m) == color]
    return min([9, *(abs(r - row) + abs(c - column) for r, c in stones)])


def zone(game, move):
    lines = sorted(min(i, game.size - 1 - i) for i in divmod(move, game.size))
    nearest = min(steps(game, move, 1), steps(game, move, 2))
    kind = 0 if nearest <= 2 else 1 if nearest <= 4 else 2 if nearest <= 6 else 3
    return (kind * 6 + min(lines[0], 5)) * 8 + min(lines[1], 7)


def distances(game, move):
    line = min(min(i, game.size - 1 - i) for i in divmod(move, game.size))
    own, enemy = steps(game, move, game.to_play), steps(game, move, 3 - game.to_play)
    return (own * 10 + enemy) * 5 + min(line, 4)


def seen_from(game, move, other):
    """Return where a point lies from another one: points 1, 2, 3 ... are that one, the one beside,
    the diagonal one, and so on row by row of an eighth of the board; 22 are all farther ones."""
    if other is None:
        return 0
    (row, column), (its_row, its_column) = divmod(move, game.size), divmod(other, game.size)
    apart = abs(row - its_row), abs(column - its_column)
    eighth = [(more, less) for more in range(6) for less in range(more + 1)]
    place = (max(apart), min(apart))
    return eighth.index(place) + 1 if place in eighth else 22


def answer(game, move, last, before):
    return seen_from(game, move, last) * 23 + seen_from(game, move, before)


def fight(game, move, last):
    around = neighbours(game, move)
    chains = {min(chain(game, n)): liberties(game, n) for n in around if game.color(n)}
    own = [len(chains[c]) for c in chains if game.color(c) == game.to_play]
    enemy = [len(chains[c]) for c in chains if game.color(c) == 3 - game.to_play]
    theirs = [n for n in around if game.color(n) == 3 - game.to_play]
    captured = [n for n in theirs if len(liberties(game, n)) == 1]
    free = [n for n in around if not game.color(n)]
    after = len(free) + sum(count - 1 for count in own) + len(captured)
    weakest = [min(5, min(counts, default=0)) for counts in (enemy, own)]
    near = min(seen_from(game, move, last), 11)
    return ((near * 7 + min(after, 6)) * 6 + weakest[0]) * 6 + weakest[1]


def drawing(game, move, turn=TURNS[0], count=36):
    row, column = divmod(move, game.size)
    colors = ".XO" if game.to_play == 1 else ".OX"
    found = ""
    for along, across in CELLS[:count]:
        up, right = turn(along, across)
        r, c = row + up, column + right
        on_board = 0 <= r < game.size and 0 <= c < game.size
        found += colors[game.color(r * game.size + c)] if on_board else "#"
    return found


def empty_points(game):
    return [move for move in range(game.points) if not game.color(move)]


def some_positions(size, count):
    for game, *_ in positions_and_last_moves(size, count):
        yield game


def positions_and_last_moves(size, count):
    for seed in range(count):
        game, last, before = position(size, random.Random(seed).randrange(size * size), seed)
        if not game.is_over:
            yield game, last, before


def test_the_cells_are_the_nearest_36():
    near = [(r, c) for r, c in product(range(-3, 4), repeat=2) if 0 < r * r + c * c < 13]

    assert sorted(CELLS) == sorted(cell for cell in near if cell not in [(3, 3)])
    lengths = [r * r + c * c for r, c in CELLS]
    assert lengths == sorted(lengths)
    assert (lengths[:20].count(5), lengths[20]) == (8, 8)


@pytest.mark.parametrize("size", [5, 14, 19, 25])
def test_points_have_the_factors_that_the_model_says(size):
    chance = random.Random(size)
    tables = {
        name: [chance.randrange(-60, 60) for _ in range(prod(table))]
        for name, table in TABLES.items()
    }
    for game, last, before in positions_and_last_moves(size, 6):
        numbers = {
            move: {
                "zones": zone(game, move),
                "distances": distances(game, move),
                "answers": answer(game, move, last, before),
                "fights": fight(game, move, last),
            }
            for move in empty_points(game)
        }

        assert Database(tables, []).factors(game) == {
            move: sum(tables[name][number] for name, number in numbers[move].items())
            for move in numbers
        }
        for name in TABLES:
            assert Database({name: tables[name]}, []).factors(game) == {
                move: tables[name][numbers[move][name]] for move in numbers
            }


@pytest.mark.parametrize("size", [5, 19])
def test_shapes_count_wherever_they_are_however_they_are_turned(size):
    for game in some_positions(size, 5):
        moves = empty_points(game)
        chosen = random.Random(size).choice(moves)
        turn = random.Random(size + 1).choice(TURNS)
        small, large = drawing(game, chosen, turn, 20), drawing(game, chosen, turn)

        known = Database({}, [(small, 7), (large, 30)])
        alone = Database({}, [(large, 30)])

        def turned(move, count, game=game):
            return {drawing(game, move, turn, count) for turn in TURNS}

        assert known.factors(game) == {
            move: 7 * (small in turned(move, 20)) + 30 * (large in turned(move, 36))
            for move in moves
        }
        assert set(alone.factors(game).values()) == {0}
        assert known.shapes == 2


def test_what_is_observed_is_what_the_model_says():
    for game, last, before in positions_and_last_moves(19, 4):
        seen = observed(game)

        assert seen["move"].tolist() == [m for m in game.sensible_moves() if m < game.points]
        for row in random.Random(1).sample(seen.tolist(), 20):
            move, _, its_zone, its_distances, its_answer, its_fight, small, large = row
            assert (its_zone, its_distances) == (zone(game, move), distances(game, move))
            assert its_answer == answer(game, move, last, before)
            assert its_fight == fight(game, move, last)
            assert drawn(game, move) == drawing(game, move)
            assert (small, large) == codes_at(game, move)
            assert small == min(codes_of(drawing(game, move, count=20).encode()))
            assert large == min(codes_of(drawing(game, move).encode()))


def test_many_shapes_are_all_found():
    shapes, expected = {}, {}
    games_seen = list(some_positions(19, 8))
    for game in games_seen:
        for move in empty_points(game):
            shapes.setdefault(codes_at(game, move)[0], drawing(game, move, count=20))
    values = {code: number % 255 - 127 for number, code in enumerate(shapes)}
    known = Database({}, [(drawing, values[code]) for code, drawing in shapes.items()])

    assert known.shapes > 1000
    for game in games_seen:
        expected = {move: values[codes_at(game, move)[0]] for move in empty_points(game)}
        assert known.factors(game) == expected


@pytest.mark.parametrize(
    ("tables", "shapes"),
    [
        ({"zones": [0] * 191}, []),
        ({"distances": [0] * 501}, []),
        ({"other": [0]}, []),
        ({}, [("." * 21, 1)]),
        ({}, [("?" * 20, 1)]),
    ],
)
def test_what_is_no_database_is_refused(tables, shapes):
    with pytest.raises(ValueError, match=r"wanted|shorter|longer|not found"):
        Database(tables, shapes)


def test_moves_are_as_likely_as_habits_and_the_database_say():
    known = move_model.loaded(move_model.EXPERTS)
    for game, last, before in (position(19, 40, 1), position(19, 200, 2), position(15, 3, 3)):
        more = known.factors(game)
        likely = transcribed(game, last, before)
        products = {move: p * exp(more[move] / 10) for move, p in likely.items()}
        total = sum(products.values())

        table = GoPolicy(database=known, **HABIT_ONLY).advice(game)

        visits = dict(zip(table["move"].tolist(), table["visits"].tolist(), strict=True))
        assert visits.pop(game.points) == 0
        assert visits.keys() == products.keys()
        for move, count in visits.items():
            assert count == pytest.approx(1000 * sqrt(products[move] / total) - 0.5, abs=0.52)


# The one of the package


def test_people_begin_in_the_corners():
    game = Go(19)
    table = GoPolicy(database=move_model.loaded(move_model.EXPERTS), **HABIT_ONLY).advice(game)

    best = table[table["visits"].argsort()[::-1]]["move"][:8].tolist()

    assert all(
        sorted(min(i, 18 - i) for i in divmod(move, 19)) in ([2, 3], [3, 3]) for move in best
    )


@pytest.mark.parametrize(("size", "has_one"), [(9, False), (13, False), (14, True), (19, True)])
def test_it_counts_on_large_boards(size, has_one):
    policy = Mcts().policy_for(Go(size))
    without = Mcts(move_model=move_model.NONE).policy_for(Go(size))

    assert (policy.database is move_model.loaded(move_model.EXPERTS)) == has_one
    assert without.database is None


def test_a_policy_that_remembers_replies_takes_its_database_along():
    known = move_model.loaded(move_model.EXPERTS)

    assert GoPolicy(database=known, playout_reply=100).fork().database is known


# Files

TABLE_OF_ONES = {name: [1] * prod(table) for name, table in TABLES.items()}
TEXT = move_model.write(TABLE_OF_ONES, [("." * 20, 3)], "a remark\nin lines")


WANTED = "must be zones, distances, answers, fights or a shape"


def test_a_table_that_a_file_has_not_says_nothing(tmp_path):
    path = tmp_path / "own.txt"
    path.write_text("\n".join(line for line in TEXT.splitlines() if "fights" not in line))

    assert move_model.loaded(move_model.source(str(path))).factors(Go(19))[180] == 6


def test_a_file_is_written_and_read(tmp_path):
    path = tmp_path / "own.txt"
    path.write_text(TEXT)

    found = move_model.source(str(path))

    assert (found.name, found.text) == (str(path), TEXT)
    assert TEXT.startswith("# a remark\n# in lines\nzones 1 1 1 1 1 1 1 1\n")
    assert move_model.loaded(found).factors(Go(19))[180] == 7
    assert Mcts(move_model=found).policy_for(Go(19)).database is move_model.loaded(found)


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("shape", "shade", f"line 654: {WANTED}"),
        ("." * 20 + " 3", "." * 20 + " 128", f"line 654: {WANTED}"),
        ("." * 20 + " 3", "." * 19 + "? 3", f"line 654: {WANTED}"),
        ("zones 1", "zones one", f"line 3: {WANTED}"),
        ("zones 1 1", "zones 1", "191 zones, must be 192"),
        ("distances 1", "", f"line 27: {WANTED}"),
    ],
)
def test_a_broken_file_is_refused_with_its_line(old, new, says, tmp_path):
    path = tmp_path / "own.txt"
    path.write_text(TEXT.replace(old, new, 1))

    with pytest.raises(UserError) as found:
        move_model.source(str(path))
    assert str(found.value) == f"{path}, {says}" or str(found.value) == f"{path}: {says}"


def test_a_file_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(UserError, match=r"none\.txt: .*No such file"):
        move_model.source(str(tmp_path / "none.txt"))


# Learning

# Some openings, again and again: all there is to learn.
OPENINGS = ["pd dp pp dd fq cn", "qd dd pq dq co ep", "pd dd pq dp fc cf", "qp cd dq pc qf ec"]


def collection(count):
    chance, texts = random.Random(3), []
    for _ in range(count):
        moves = chance.choice(OPENINGS).split()
        nodes = "".join(f";{'BW'[i % 2]}[{at}]" for i, at in enumerate(moves))
        texts.append(f"(;GM[1]SZ[19]KM[6.5]{nodes})")
    return "".join(texts)


def test_what_is_always_played_is_learnt():
    records = list(sgf.read_all(collection(60)))

    learnt = move_model_training.learn(records, 1, 5, lambda line: None)

    assert learnt.positions == 360
    assert learnt.tables.keys() == TABLES.keys() and all(map(any, learnt.tables.values()))
    assert learnt.after[0] > learnt.before[0] + 2
    again = move_model_training.learn(records, 1, 5, lambda line: None)
    assert again == learnt
    assert {len(drawing) for drawing, _ in learnt.shapes} == {20, 36}


def test_nothing_is_learnt_from_games_left_out():
    given = list(sgf.read_all(collection(move_model_training.ASKED - 1)))
    found = []
    for moves in ("aa bb cc dd ee ff", "sa rb qc pd oe nf"):
        nodes = "".join(f";{'BW'[i % 2]}[{at}]" for i, at in enumerate(moves.split()))
        left_out = list(sgf.read_all(f"(;SZ[19]{nodes})"))
        found.append(move_model_training.learn([*left_out, *given], 1, 1, lambda line: None))
    nodes = "".join(f";{'BW'[i % 2]}[{at}]" for i, at in enumerate(OPENINGS[0].split()))
    familiar = move_model_training.learn(
        [*sgf.read_all(f"(;SZ[19]{nodes})"), *given], 1, 1, lambda line: None
    )

    assert found[0].tables == found[1].tables == familiar.tables
    assert found[0].shapes == found[1].shapes == familiar.shapes
    assert familiar.after[0] > found[0].after[0] + 1


def test_what_is_no_known_shape_has_no_factor():
    shapes = move_model_training.Shapes(9)
    records = list(sgf.read_all(collection(20)))
    for game, move in move_model_training.moves_of(records):
        shapes.see(game, move)
    lessons = move_model_training.Lessons(shapes)
    for game, move in move_model_training.moves_of(records):
        lessons.see(game, move)
    model = move_model_training.Model(lessons)

    model.learn(model.first.argsort(), lambda line: None)

    assert model.weights[-1] == 0
    assert abs(model.weights).max() > 0.5


def test_shapes_count_that_were_made_often_enough():
    records = list(sgf.read_all(collection(40)))
    shapes = [
        move_model_training.learn(records, 9, least, lambda line: None).shapes
        for least in (4, 20, 999)
    ]

    assert len(shapes[0]) > len(shapes[1]) > len(shapes[2]) == 0


def test_a_game_is_learnt_from_up_to_what_is_no_move():
    [record] = sgf.read_all("(;SZ[19];B[dd];W[pp];B[dp];B[pd];W[qq])")
    [passed] = sgf.read_all("(;SZ[19];B[dd];W[];B[dp])")
    [again] = sgf.read_all("(;SZ[19];B[dd];W[dd];B[dp])")

    counts = [
        len([move for _, move in move_model_training.positions(r)]) for r in (record, passed, again)
    ]

    assert counts == [3, 1, 1]


def test_the_verb_learns_from_files_and_folders(tmp_path, capsys):
    folder = tmp_path / "games"
    folder.mkdir()
    (folder / "some.sgf").write_text(collection(20))
    (folder / "more.sgf.gz").write_bytes(gzip.compress(collection(20).encode()))
    (folder / "notes.txt").write_text("no game")
    out = tmp_path / "own.txt"

    assert main(["patterns", "learn", str(folder), "-o", str(out), "--every", "2"]) == 0

    said = capsys.readouterr().out
    assert said.startswith("40 games, ")
    assert said.strip() in out.read_text()
    assert move_model.loaded(move_model.source(str(out))).shapes > 4
    player = games.new("go", size=19).core
    assert Mcts(move_model=move_model.source(str(out))).policy_for(player).database


@pytest.mark.parametrize(
    ("text", "words", "says"),
    [
        ("(;SZ[9];B[dd])", (), "1 games, none on more than 13 rows"),
        ("(;SZ[19];B[dd];W[pp])", (), "1 positions of Go in 1 games: too few to learn from"),
        ("(;SZ[19", (), "some.sgf: SGF"),
        ("(;SZ[19];B[dd])", ("--every", "0"), "--every and --least must be at least 1"),
    ],
)
def test_what_nothing_can_be_learnt_from_is_told(text, words, says, tmp_path, capsys):
    path, out = tmp_path / "some.sgf", tmp_path / "own.txt"
    path.write_text(text)

    assert main(["patterns", "learn", str(path), "-o", str(out), *words]) == 2

    assert says in capsys.readouterr().err
    assert not out.exists()
