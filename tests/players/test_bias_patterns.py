"""Patterns: the matcher against a plain one, the text format, the columns and the verb."""

import builtins
import random
from fractions import Fraction
from itertools import product
from threading import Thread

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import mcts_cluster.__main__ as command
from cext.go import Go
from cext.go_bias_patterns import Patterns
from mcts_cluster.errors import UserError
from mcts_cluster.games import from_text
from mcts_cluster.players import bias_patterns
from mcts_cluster.players.bias_patterns import (
    Pattern,
    compiled,
    parse,
    read,
    write,
)

# The matcher, by definition

SYMMETRIES = [
    lambda x, y: (x, y),
    lambda x, y: (-x, y),
    lambda x, y: (x, -y),
    lambda x, y: (-x, -y),
    lambda x, y: (y, x),
    lambda x, y: (-y, x),
    lambda x, y: (y, -x),
    lambda x, y: (-y, -x),
]


def is_kind(game, x, y, kind):
    if not (0 <= x < game.size and 0 <= y < game.size):
        return kind == "#"
    color = game.color(y * game.size + x)
    if color == 0:
        return kind == "."
    return kind in ("S", "X" if color == game.to_play else "O")


def matches(game, move, cells):
    y, x = divmod(move, game.size)
    for turn in SYMMETRIES:
        places = ((turn(dx, dy), kind) for dx, dy, kind in cells)
        if all(is_kind(game, x + dx, y + dy, kind) for (dx, dy), kind in places):
            return True
    return False


def bias(game, move, rows):
    """Add the strengths as multiples of 2^-32, and round once to a double and once to a float."""
    matching = [strength for strength, cells in rows if matches(game, move, cells)]
    total = sum(round(Fraction(strength) * 2**32) for strength in matching)
    return float(np.float32(float(total) / 2**32))


def empty_points(game):
    return [move for move in range(game.points) if not game.color(move)]


def random_rows(choose, count, reach, most_cells, kinds="XOS.#"):
    around = range(-reach, reach + 1)
    places = [place for place in product(around, around) if place != (0, 0)]
    rows = []
    for _ in range(count):
        chosen = choose.sample(places, choose.randint(0, min(most_cells, len(places))))
        cells = [(dx, dy, choose.choice(kinds)) for dx, dy in chosen]
        rows.append((choose.uniform(-1, 1), cells))
    return rows


def random_game(size, plies, seed):
    game = Go(size)
    choose = random.Random(seed)
    while game.ply < plies and not game.is_over:
        game.play(choose.choice(game.sensible_moves()))
    return game


@settings(max_examples=80)
@given(
    size=st.sampled_from([2, 3, 5, 8, 9, 10, 13, 16, 17, 19, 25]),
    filled=st.floats(0, 0.9),
    count=st.sampled_from([0, 1, 7, 40]),
    reach=st.sampled_from([1, 2, 3, 8, 24]),
    most_cells=st.sampled_from([2, 4, 9]),
    seed=st.integers(0, 2**32),
)
def test_biases_are_those_of_the_definition(size, filled, count, reach, most_cells, seed):
    choose = random.Random(seed)
    game = random_game(size, int(filled * size * size), seed)
    rows = random_rows(choose, count, reach, most_cells)
    moves = choose.sample(empty_points(game), min(40, len(empty_points(game))))

    biases = Patterns(rows).at(game, moves)

    assert biases == [bias(game, move, rows) for move in moves]


@pytest.mark.parametrize("size", [2, 9, 19, 25])
def test_three_thousand_patterns_are_as_right_as_one(size):
    choose = random.Random(size)
    game = random_game(size, size * size // 2, 1)
    rows = [row for reach in (1, 2, 12) for row in random_rows(choose, 1000, reach, 5)]
    moves = choose.sample(empty_points(game), min(10, len(empty_points(game))))

    biases = Patterns(rows).at(game, moves)

    assert biases == [bias(game, move, rows) for move in moves]
    assert any(biases)


# How the neighbourhood of a point may look: rows from the north, `*` the move.
SHAPE = """
    ; Two and three away, in two directions, so that all eight images differ.
    pattern
    strength = 1
    ? ? X ?
    ? ? ? ?
    * . ? O
"""


@pytest.mark.parametrize("mirror_x", [False, True])
@pytest.mark.parametrize("mirror_y", [False, True])
@pytest.mark.parametrize("transpose", [False, True])
@pytest.mark.parametrize("size", [9, 19])
def test_a_pattern_matches_in_all_eight_symmetries(size, mirror_x, mirror_y, transpose):
    def turned(dx, dy):
        dx, dy = (dy, dx) if transpose else (dx, dy)
        return size // 2 - dx if mirror_x else size // 2 + dx, (
            size // 2 - dy if mirror_y else size // 2 + dy
        )

    def point(dx, dy):
        x, y = turned(dx, dy)
        return y * size + x

    game = Go(size)
    game.set_up([point(2, 2)], [point(3, 0)])

    biases = compiled(parse(SHAPE)).at(game, list(range(game.points)))

    assert [move for move, bias in enumerate(biases) if bias] == [point(0, 0)]


def test_black_and_white_see_each_its_own_stones():
    board = """
        . . . . .
        . X . . .
        . . . O .
        . . . . .
        . . . . ."""
    own = Patterns([(1.0, [(0, 1, "X")])])
    enemy = Patterns([(1.0, [(0, 1, "O")])])
    any_stone = Patterns([(1.0, [(0, 1, "S")])])
    black, white = (from_text(board, to_play=color).core for color in ("black", "white"))
    moves = list(range(25))

    assert own.at(black, moves) == enemy.at(white, moves) != own.at(white, moves)
    assert own.at(white, moves) == enemy.at(black, moves)
    assert sum(own.at(black, moves)) == sum(own.at(white, moves)) == 4
    assert any_stone.at(black, moves) == any_stone.at(white, moves)
    assert sum(any_stone.at(black, moves)) == 8


def test_off_the_board_is_off_however_far():
    game = Go(9)
    far = [Patterns([(1.0, [(distance, 0, "#")])]) for distance in (1, 8, 9, 24)]
    near = Patterns([(1.0, [(24, 0, ".")])])
    moves = list(range(81))

    counts = [sum(one.at(game, moves)) for one in far]

    # The edge; all but the centre, from which 8 is off; every point.
    assert counts == [32, 81, 81, 81]
    assert near.at(game, moves) == [0] * 81
    assert sum(Patterns([(1.0, [(4, 0, "#")])]).at(game, moves)) == 80


def test_a_pattern_counts_once_at_a_point_in_however_many_symmetries():
    game = Go(9)
    game.set_up([31, 39, 41, 49], [])

    assert Patterns([(0.5, [(1, 0, "X")])]).at(game, [40]) == [0.5]


def test_a_pattern_without_cells_matches_at_every_candidate():
    game = Go(19)
    game.set_up([3], [])

    assert Patterns([(0.5, [])]).at(game, [0, 3, 360, 361]) == [0.5, 0, 0.5, 0]


def test_no_patterns_give_no_bias():
    assert Patterns([]).at(Go(9), [0, 80]) == [0, 0]
    assert len(Patterns([])) == Patterns([]).reach == 0


def test_no_moves_have_no_biases():
    assert Patterns([(1.0, [(1, 0, ".")])]).at(Go(9), []) == []


def test_sums_do_not_depend_on_the_order_of_the_patterns():
    choose = random.Random(1)
    game = random_game(9, 40, 1)
    rows = random_rows(choose, 400, 2, 3)
    moves = empty_points(game)

    biases = [Patterns(choose.sample(rows, len(rows))).at(game, moves) for _ in range(3)]

    assert biases[0] == biases[1] == biases[2]


def test_strengths_that_cancel_leave_nothing():
    rows = [(strength, [(1, 0, ".")]) for strength in (1000, 1e-9, 0.1, -1000, -0.1, -1e-9)]

    assert Patterns(rows).at(Go(9), [0]) == [0]


def test_the_largest_strengths_add_up():
    rows = [(1000, [(1, 0, ".")])] * 5000

    assert Patterns(rows).at(Go(9), [0]) == [5_000_000]


def test_biases_are_the_same_to_the_bit_on_every_machine():
    choose = random.Random(7)
    rows = [
        (i / 7 - 20, [(choose.randint(1, 3), choose.randint(-3, 3), choose.choice("XOS.#"))])
        for i in range(300)
    ]
    game = Go(9)
    game.set_up([20, 24, 30, 60], [21, 33, 40, 56])

    biases = Patterns(rows).at(game, [0, 22, 41, 80])

    assert np.array(biases, np.float32).tobytes().hex() == PINNED


PINNED = "49924c43dbb619424992bf436edbc242"


def test_threads_may_share_patterns():
    choose = random.Random(1)
    games = [random_game(9, plies, 1) for plies in (10, 30, 50, 70)]
    shared = Patterns(random_rows(choose, 200, 3, 5))
    alone = [shared.at(game, empty_points(game)) for game in games]
    together = [None] * len(games)

    def work(i):
        together[i] = shared.at(games[i], empty_points(games[i]), times=2000)

    threads = [Thread(target=work, args=[i]) for i in range(len(games))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert together == alone


def test_compiled_patterns_do_not_change():
    shared = Patterns([(1.0, [(1, 0, ".")])])

    with pytest.raises(TypeError, match="patterns do not change"):
        shared.__init__([])


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([(float("nan"), [])], "strength nan: -1000 to 1000 is allowed"),
        ([(1001, [])], "strength 1001: -1000 to 1000 is allowed"),
        ([(1, [(25, 0, "X")])], "cell (25, 0): 24 at most is allowed"),
        ([(1, [(0, -25, "X")])], "cell (0, -25): 24 at most is allowed"),
        ([(1, [(0, 0, "X")])], "cell (0, 0): the move itself"),
        ([(1, [(1, 0, "X"), (1, 0, "X")])], "cell (1, 0): twice"),
        ([(1, [(1, 0, "?")])], "cell (1, 0): kind '?': must be one of X O S . #"),
        ([(1, [(1, 0, "XO")])], "cell (1, 0): kind 'XO': must be one of X O S . #"),
    ],
)
def test_what_is_no_pattern_is_not_compiled(rows, message):
    with pytest.raises(ValueError) as refused:
        Patterns(rows)

    assert str(refused.value) == message


@pytest.mark.parametrize("move", [-1, 82])
def test_moves_off_the_board_have_no_bias(move):
    with pytest.raises(ValueError, match=f"move {move} is off the board"):
        Patterns([]).at(Go(9), [move])


# The text


places = st.tuples(st.integers(-24, 24), st.integers(-24, 24)).filter(any)
cell_sets = st.dictionaries(places, st.sampled_from("XOS.#"), min_size=1, max_size=12)
strengths = st.floats(-1000, 1000).filter(bool)
names = st.text(st.characters(categories=["L", "N", "P", "S", "Zs"]), max_size=20)


@st.composite
def any_pattern(draw):
    cells = tuple((*place, kind) for place, kind in draw(cell_sets).items())
    name = draw(names).strip().replace(";", "")
    return Pattern(cells, draw(strengths), name.strip() if name.isprintable() else "")


@given(st.lists(any_pattern(), max_size=4))
def test_written_patterns_are_read_back_to_the_bit(rows):
    assert parse(write(rows)) == rows


HANE = Pattern(
    (
        *((-1, 1, "X"), (0, 1, "O")),
        *((-1, 0, "."), (1, 0, ".")),
        *((-1, -1, "#"), (0, -1, "#"), (1, -1, "#")),
    ),
    0.5,
    "hane at the edge",
)
HANE_TEXT = """\
pattern hane at the edge
strength = 0.5

    X O ?
    . * .
    # # #
"""


def test_a_pattern_is_written_as_a_picture():
    assert write([HANE]) == HANE_TEXT
    assert parse(HANE_TEXT) == [HANE]


@pytest.mark.parametrize(
    "text",
    [
        "pattern hane at the edge\nstrength=0.5\nXO?\n.*.\n###",
        "; first\n\npattern  hane at the edge ; second\n\n\nX O ?\n; third\n. *. ; fourth\n###\n"
        "strength = 5e-1",
        HANE_TEXT.replace("\n", "\r\n"),
    ],
)
def test_blanks_and_comments_do_not_matter(text):
    assert parse(text) == [HANE]


def test_no_text_holds_no_patterns():
    assert parse("") == parse("; nothing\n\n") == []


def test_cells_are_compared_without_their_order():
    cells = ((1, 0, "X"), (0, 1, "O"))

    assert Pattern(cells, 1) == Pattern(cells[::-1], 1)


def images(cells):
    """Return the cells in all eight symmetries, each different one once."""
    transposed = [(dy, dx, kind) for dx, dy, kind in cells]
    return {
        tuple(sorted((a * dx, b * dy, kind) for dx, dy, kind in some))
        for some in (cells, transposed)
        for a, b in product((1, -1), repeat=2)
    }


def test_every_image_matches_where_the_pattern_does():
    game = random_game(9, 40, 3)
    moves = empty_points(game)
    cells = ((1, 0, "X"), (2, 1, "."), (0, -1, "S"))

    biases = {tuple(Patterns([(1.0, image)]).at(game, moves)) for image in images(cells)}

    assert len(biases) == 1
    assert 0 < sum(biases.pop()) < len(moves)


START = "pattern\nstrength = 1\n"
STRENGTH = "must be a number from -1000 to 1000 other than 0"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("X *", "1: a pattern must begin with a line: pattern, or pattern NAME"),
        ("strength = 1", "1: a pattern must begin with a line: pattern, or pattern NAME"),
        ("pattern\nX *", "1: missing: a line such as strength = 0.5"),
        ("pattern\nstrength = a\nX *", f"2: strength 'a': {STRENGTH}"),
        ("pattern\nstrength =\nX *", f"2: strength '': {STRENGTH}"),
        ("pattern\nstrength = nan\nX *", f"2: strength nan: {STRENGTH}"),
        ("pattern\nstrength = 0\nX *", f"2: strength 0.0: {STRENGTH}"),
        ("pattern\nstrength = 1001\nX *", f"2: strength 1001.0: {STRENGTH}"),
        (START + "strength = 2", "3: the pattern has a strength already"),
        (START + "x *", "3: 'x' is not one of X O S . # ? *"),
        (START + "X *\n\nX *", "5: the pattern has a picture already: a picture has no gaps"),
        (START + "X *\nX", "4: 1 places in this row, 2 in the one above; ? is a joker"),
        (START + "X O", "1: 0 places marked *: must be one, the move"),
        (START, "1: 0 places marked *: must be one, the move"),
        (START + "* X *", "1: 2 places marked *: must be one, the move"),
        (
            START + "? *",
            "1: a pattern without cells would match everywhere: it must have a cell",
        ),
        (
            f"{START}X *\n{START}X{'?' * 24}*",
            "4: cell (-25, 0): must be at most 24 rows and columns from the move",
        ),
        ("pattern a\tb", "1: name 'a\\tb': must be one line of text without ;, or nothing"),
    ],
)
def test_a_mistake_in_a_text_is_told_with_its_line(text, message):
    with pytest.raises(UserError) as refused:
        parse(text, "mine.txt")

    assert str(refused.value) == f"mine.txt:{message}"


@pytest.mark.parametrize(
    ("cells", "strength", "name", "message"),
    [
        ([(0, 0, ".")], 1, "", "cell (0, 0) is the move itself, which is always empty"),
        ([(1, 0, "X"), (1, 0, "O")], 1, "", "two cells in one place"),
        ([(1, 0, "?")], 1, "", "cell (1, 0): '?' is not one of X O S . #"),
        ([(1, 0, "")], 1, "", "cell (1, 0): '' is not one of X O S . #"),
        ([(1, 0, "X")], float("inf"), "", f"strength inf: {STRENGTH}"),
        (
            [(1, 0, "X")],
            1,
            "a;b",
            "name 'a;b': must be one line of text without ;, or nothing",
        ),
    ],
)
def test_no_other_pattern_can_be_made(cells, strength, name, message):
    with pytest.raises(UserError) as refused:
        Pattern(tuple(cells), strength, name)

    assert str(refused.value) == message


def test_a_file_that_is_none_is_a_mistake(tmp_path):
    (tmp_path / "latin").write_bytes(b"pattern \xe9")

    with pytest.raises(UserError, match="No such file or directory"):
        read(tmp_path / "nothing")
    with pytest.raises(UserError, match="latin: not a text file in UTF-8"):
        read(tmp_path / "latin")


# The verb


@pytest.fixture
def file(tmp_path):
    (tmp_path / "mine.txt").write_text(
        HANE_TEXT + "\npattern [bold]\nstrength = -0.25\nX ? *\n", encoding="utf-8"
    )
    return tmp_path / "mine.txt"


def test_patterns_are_shown_side_by_side(file, capsys):
    assert command.main(["patterns", "show", str(file)]) == 0

    lines = [line.rstrip() for line in capsys.readouterr().out.splitlines()]
    assert lines[0].startswith("X own stone  O enemy stone")
    assert lines[2:] == [
        "1 hane at the     2 [bold]",
        "edge              -0.25",
        "+0.5              X ? *",
        "X O ?",
        ". * .",
        "# # #",
        "",
        "2 patterns",
    ]


def test_an_empty_file_has_no_patterns_to_show(tmp_path, capsys):
    (tmp_path / "empty.txt").write_text("")

    assert command.main(["patterns", "show", str(tmp_path / "empty.txt")]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "0 patterns"


def test_wide_patterns_take_a_row_of_their_own(tmp_path, capsys):
    wide = Pattern(((-24, 0, "X"), (24, 0, "O")), 1)
    (tmp_path / "wide.txt").write_text(write([wide, wide, HANE]))

    assert command.main(["patterns", "show", str(tmp_path / "wide.txt")]) == 0
    heads = [line.split()[0] for line in capsys.readouterr().out.splitlines() if line[:1].isdigit()]
    assert heads == ["1", "2", "3", "3"]


def test_mistakes_in_a_file_are_one_line(tmp_path, capsys):
    path = tmp_path / "bad.txt"
    path.write_text("pattern\nstrength = 1\nx *\n")

    assert command.main(["patterns", "show", str(path)]) == 2
    assert capsys.readouterr() == (
        "",
        f"mcts-cluster: {path}:3: 'x' is not one of X O S . # ? *\n",
    )


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("count", [0, 1, 40])
def test_patterns_are_drawn_into_a_file(count, tmp_path, capsys):
    pytest.importorskip("matplotlib")
    choose = random.Random(1)
    rows = [
        Pattern(tuple(cells), strength, "costs $_{$ [or] 石")
        for strength, cells in random_rows(choose, count, 3, 6)
        if cells
    ]
    (tmp_path / "some.txt").write_text(write(rows))
    picture = tmp_path / "some.png"
    words = ["patterns", "show", str(tmp_path / "some.txt"), "--png", str(picture)]

    assert command.main(words) == 0

    assert picture.read_bytes().startswith(b"\x89PNG\r\n\x1a\n")
    assert capsys.readouterr() == ("", "")


def test_a_picture_that_cannot_be_written_is_a_mistake(file, tmp_path, capsys):
    pytest.importorskip("matplotlib")
    (tmp_path / "none").write_text("a file")
    picture = tmp_path / "none" / "some.png"

    assert command.main(["patterns", "show", str(file), "--png", str(picture)]) == 2
    assert capsys.readouterr().err == f"mcts-cluster: {picture.parent}: File exists\n"


def test_without_matplotlib_one_line_says_how_to_get_it(file, tmp_path, capsys, monkeypatch):
    usual = builtins.__import__

    def without(name, *words):
        if name.startswith("matplotlib"):
            raise ModuleNotFoundError(name)
        return usual(name, *words)

    monkeypatch.setattr(builtins, "__import__", without)

    assert command.main(["patterns", "show", str(file), "--png", str(tmp_path / "a.png")]) == 2
    assert capsys.readouterr().err == (
        'mcts-cluster: --png needs matplotlib: pip install "mcts_cluster[plot]"\n'
    )
    assert command.main(["patterns", "show", str(file)]) == 0


def test_the_core_and_the_format_agree_on_their_limits():
    cell = (bias_patterns.MAX_REACH, -bias_patterns.MAX_REACH, "X")

    assert Patterns([(bias_patterns.MAX_STRENGTH, [cell])]).reach == bias_patterns.MAX_REACH
    for strength, reach in [
        (bias_patterns.MAX_STRENGTH + 1, 1),
        (1, bias_patterns.MAX_REACH + 1),
    ]:
        with pytest.raises(ValueError):
            Patterns([(strength, [(reach, 0, "X")])])
