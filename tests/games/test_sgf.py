"""Go records as they are found in the wild: encodings, variations, set-up stones, mistakes."""

import codecs
import gzip
import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mcts_cluster.errors import UserError
from mcts_cluster.games import from_sgf, from_text, new, sgf, to_sgf

HUMANS = Path(__file__).parents[3] / "shared" / "games" / "humans-19x19.sgf.gz"


def fixed(examples):
    return settings(max_examples=examples, derandomize=True)


# What a record says


def test_a_plain_record_is_read():
    record = sgf.read("(;GM[1]FF[4]SZ[9]KM[7.5]RE[W+R]PB[a]PW[b];B[ee];W[ai];B[])")

    assert record == sgf.GoRecord(
        size=9,
        komi=7.5,
        moves=[("black", (4, 4)), ("white", (0, 0)), ("black", None)],
        result="W+R",
    )


def test_an_empty_record_is_an_empty_19x19_board():
    assert sgf.read("(;)") == sgf.GoRecord(size=19, komi=None, to_play="black")


@pytest.mark.parametrize(
    ("written", "komi"),
    [("7.5", 7.5), ("6,5", 6.5), (" 0 ", 0), ("-3.5", -3.5), ("+5.50", 5.5), ("7", 7)],
)
def test_komi_is_read_as_it_is_written_here_and_there(written, komi):
    assert sgf.read(f"(;KM[{written}])").komi == komi


@pytest.mark.parametrize(
    ("size", "written", "point"),
    [(9, "", None), (9, "tt", None), (19, "tt", None), (20, "tt", (0, 19)), (25, "ya", (24, 24))],
)
def test_tt_is_a_pass_up_to_19x19(size, written, point):
    assert sgf.read(f"(;SZ[{size}];B[{written}])").moves == [("black", point)]


def test_a_move_in_the_root_is_the_first_one():
    assert from_sgf("(;SZ[9]B[aa];W[bb])").moves == ["A9", "B8"]


def test_only_the_main_line_is_read():
    record = "(;SZ[9];B[aa](;W[bb];B[cc](;W[dd])(;W[ee]))(;W[ff];B[gg]))"

    assert from_sgf(record).moves == ["A9", "B8", "C7", "D6"]


def test_comments_and_unknown_properties_change_nothing():
    record = r"""before it (;SZ[9]XX[a][b]C[a \] bracket, ;B[ii\] and (;W[hh\])]
        ;B[aa]BL[30.5]C[]
        ;W[bb]N[x]) after it"""

    assert from_sgf(record).moves == ["A9", "B8"]


def test_the_first_game_of_a_collection_is_read_or_all_of_them():
    collection = "(;SZ[9];B[aa])\n(;SZ[13];B[bb])(;SZ[19])"

    assert sgf.read(collection).size == 9
    assert [record.size for record in sgf.read_all(collection)] == [9, 13, 19]


# Set-up stones


def test_stones_are_set_up_in_the_root():
    record = sgf.read("(;SZ[5]AB[aa][bb]AW[ee])")

    assert (record.black, record.white) == ([(3, 1), (4, 0)], [(0, 4)])


def test_stones_are_set_up_in_later_nodes_before_the_first_move():
    game = from_sgf("(;SZ[3]AB[aa][ab][ba];AE[ab]AW[ba][cc];PL[W]AE[cc])")

    assert str(game) == str(from_text("X O .\n. . .\n. . .", to_play="white"))


def test_compressed_point_lists_are_rectangles():
    game = from_sgf("(;SZ[4]AB[aa:bd]AW[cb:dc];AE[bb:bc];B[cd])")

    assert [str(game).splitlines()[row][3:11] for row in range(1, 5)] == [
        " X X . .",
        " X . O O",
        " X . O O",
        " X X(X).",
    ]


@pytest.mark.parametrize(
    ("properties", "to_play"),
    [
        ("", "black"),
        ("PL[W]", "white"),
        ("PL[w]", "white"),
        ("AB[aa]AW[bb]", "black"),
        ("AB[aa]AW[bb]PL[W]", "white"),
        # A handicap, though nothing says that White begins.
        ("HA[2]AB[aa][bb]", "white"),
        ("HA[2]AB[aa][bb];B[cc]", "black"),
        ("HA[2]AB[aa][bb];W[cc]", "white"),
        ("AB[aa][bb]PL[B]", "black"),
        ("AW[aa]", "black"),
        (";W[cc]", "white"),
        (";PL[W];W[cc]", "white"),
        # A later PL is not about the start.
        (";B[aa];PL[W];W[bb]", "black"),
        (";B[aa];PL[B];B[bb]", "black"),
    ],
)
def test_who_begins_is_found_out(properties, to_play):
    assert sgf.read(f"(;SZ[9]{properties})").to_play == to_play


# From a record to a game


def test_a_record_is_played_with_its_komi_unless_told_otherwise():
    record = "(;SZ[9]KM[5.5];B[ee])"

    assert from_sgf(record).core.komi == 5.5
    assert from_sgf(record, komi=0).core.komi == 0
    assert from_sgf("(;SZ[9];B[ee])").core.komi == 7.5
    assert from_sgf(record, superko="situational").core.superko == "situational"


@pytest.mark.parametrize(("moves", "played"), [(0, []), (1, ["E5"]), (9, ["E5", "A1", "pass"])])
def test_a_record_is_played_up_to_a_move(moves, played):
    assert from_sgf("(;SZ[9];B[ee];W[ai];B[])", moves).moves == played


def test_a_player_who_moves_twice_let_the_other_one_pass():
    game = from_sgf("(;SZ[9];B[aa];B[bb];W[cc];W[dd])")

    assert game.moves == ["A9", "pass", "B8", "C7", "pass", "D6"]


@pytest.mark.parametrize(
    ("record", "message"),
    [
        ("(;SZ[9];B[aa];W[aa])", "move 2: white cannot play A9: occupied"),
        ("(;SZ[9]AB[ba][ab]PL[W];W[aa])", "move 1: white cannot play A9: suicide"),
        (
            "(;SZ[5]AB[ba][ab][bc]AW[ca][bb][db][cc];B[cb];W[bb])",
            "move 2: white cannot play B4: ko",
        ),
        (
            "(;SZ[3];B[bc];W[cb];B[ab];W[bb];B[cc];W[ac];B[bc])",
            "move 7: black cannot play B1: superko",
        ),
        ("(;SZ[9];B[];W[];B[aa])", "move 3: black cannot play A9: the game is over"),
        ("(;SZ[9];B[tt];W[tt];B[tt])", "move 3: black cannot play pass: the game is over"),
        ("(;SZ[9];B[];B[aa])", "move 3: black cannot play A9: the game is over"),
        ("(;SZ[26])", "game.size: 26 is too large, must be at most 25"),
        ("(;SZ[1])", "game.size: 1 is too small, must be at least 2"),
        ("(;KM[3.75])", "game.komi: 3.75 must be a multiple of 0.5"),
        ("(;SZ[9]AB[aa]AW[ba][ab])", "position: the stone on A9 has no liberty"),
    ],
)
def test_what_the_rules_forbid_is_refused_with_its_number_and_reason(record, message):
    with pytest.raises(UserError) as refused:
        from_sgf(record)

    assert str(refused.value) == message


@pytest.mark.parametrize(
    ("record", "message"),
    [
        ("", "SGF: no SGF data found"),
        ("no record at all", "SGF: no SGF data found"),
        ("(", "SGF: no SGF data found"),
        (";B[aa]", "SGF: no SGF data found"),
        ("(;", "SGF: error parsing game 0: unexpected end of SGF data"),
        ("(;SZ[9];B[aa]", "SGF: error parsing game 0: unexpected end of SGF data"),
        ("(;SZ[9];B[aa]C[never ends)", "SGF: error parsing game 0: unexpected end of SGF data"),
        ("(;GM[2])", "SGF, game 1: GM[2] is not Go, which is GM[1]"),
        ("(;GM[backgammon])", "SGF, game 1: GM[backgammon] is not Go, which is GM[1]"),
        ("(;SZ[9:13])", "SGF, game 1: bad SZ property: b'9:13'"),
        ("(;SZ[nine])", "SGF, game 1: bad SZ property: b'nine'"),
        ("(;SZ[0])", "SGF, game 1: size out of range: 0"),
        ("(;KM[])", "SGF, game 1: KM[] is not a number"),
        ("(;KM[half])", "SGF, game 1: KM[half] is not a number"),
        ("(;SZ[9];B[aa];W[jj])", "SGF, game 1: node 2: W[jj]: must be a point of size 9"),
        ("(;SZ[9];B[a])", "SGF, game 1: node 1: B[a]: must be a point of size 9"),
        ("(;SZ[9];B[A1])", "SGF, game 1: node 1: B[A1]: must be a point of size 9"),
        ("(;SZ[9]AB[aa][zz])", "SGF, game 1: node 0: AB[aa][zz]: must be a point of size 9"),
        ("(;SZ[9]AE[cc:aa])", "SGF, game 1: node 0: AE[cc:aa]: must be a point of size 9"),
        ("(;PL[1])", "SGF, game 1: node 0: PL[1]: must be B or W"),
        ("(;B[aa];AB[bb])", "SGF, game 1: node 1: stones are set up after the first move"),
        ("(;;B[aa];AE[aa])", "SGF, game 1: node 2: stones are set up after the first move"),
        (
            "(;;B[aa]W[bb])",
            "SGF, game 1: node 1: a move of Black and one of White in one node",
        ),
    ],
)
def test_a_broken_record_is_refused_in_one_line(record, message):
    with pytest.raises(UserError) as refused:
        sgf.read(record)

    assert str(refused.value) == message


def test_a_bad_game_in_a_collection_is_named_and_those_before_it_are_read():
    records = sgf.read_all("(;SZ[9])(;SZ[13])(;GM[3])(;SZ[19])")

    assert [next(records).size, next(records).size] == [9, 13]
    with pytest.raises(UserError) as refused:
        next(records)
    assert str(refused.value) == "SGF, game 3: GM[3] is not Go, which is GM[1]"


# Encodings

# In RE, because the names of players are not kept. In the first three, second bytes of characters
# look like a bracket or a backslash.
NAMES = [
    ("GB18030", "閉誠"),
    ("gb18030", "闿運a"),
    ("Shift_JIS", "江表ソ"),
    ("Big5", "功"),
    ("EUC-KR", "흑 불계승"),
    ("ISO-8859-1", "Ångström"),
    ("windows-1252", "“é”"),
    ("UTF-8", "黒中押し勝ち"),
]


@pytest.mark.parametrize(("encoding", "name"), NAMES)
def test_the_encoding_in_ca_is_obeyed(encoding, name):
    data = f"(;SZ[9]CA[{encoding}]RE[{name}];B[aa];W[bb])".encode(encoding)

    record = sgf.read(data)

    assert record.result == name
    assert len(record.moves) == 2


@pytest.mark.parametrize("encoding", ["gb18030", "shift_jis"])
@pytest.mark.parametrize("byte", [b"\\", b"]"])
def test_the_names_above_have_bytes_that_mean_something_to_sgf(encoding, byte):
    used = [name for given, name in NAMES if given.lower() == encoding]

    assert any(character.encode(encoding)[1:] == byte for name in used for character in name)


def test_without_ca_a_record_is_taken_for_utf_8():
    assert sgf.read("(;RE[黒])".encode()).result == "黒"


@pytest.mark.parametrize(
    ("mark", "encoding"),
    [
        (codecs.BOM_UTF8, "utf-8"),
        (codecs.BOM_UTF16_LE, "utf-16-le"),
        (codecs.BOM_UTF16_BE, "utf-16-be"),
    ],
)
@pytest.mark.parametrize("claim", ["", "CA[ISO-8859-1]", "CA[Shift_JIS]"])
def test_a_byte_order_mark_says_more_than_ca(mark, encoding, claim):
    record = sgf.read(mark + f"(;SZ[9]{claim}RE[黒];B[aa])".encode(encoding))

    assert record.result == "黒"
    assert len(record.moves) == 1


@pytest.mark.parametrize(
    "claim", ["", "CA[klingon]", "CA[hex]", "CA[idna]", "CA[undefined]", "CA[]"]
)
def test_without_a_known_encoding_what_is_not_utf_8_is_latin_1(claim):
    assert sgf.read(f"(;SZ[9]{claim}RE[café];B[aa])".encode("latin-1")).result == "café"


@pytest.mark.parametrize(
    ("data", "result"),
    [
        (b"(;CA[UTF-8]RE[\xff\xfe]SZ[9];B[aa])", "��"),
        (codecs.BOM_UTF8 + b"(;RE[\xff]SZ[9];B[aa])", "�"),
        (codecs.BOM_UTF16_LE + "(;RE[x]SZ[9];B[aa]) ".encode("utf-16-le")[:-1], "x"),
    ],
)
def test_bytes_that_do_not_fit_the_encoding_cost_no_moves(data, result):
    record = sgf.read(data)

    assert record.result == result
    assert record.moves == [("black", (8, 0))]


# Writing


def test_a_record_is_written_with_what_is_known():
    record = sgf.GoRecord(
        size=9,
        komi=6.5,
        black=[(0, 0)],
        white=[(8, 8)],
        to_play="white",
        moves=[("white", (4, 4)), ("black", None)],
        result="B+2.5",
    )

    assert sgf.write(record) == (
        "(;FF[4]AB[ai]AW[ia]CA[UTF-8]GM[1]KM[6.5]PL[W]RE[B+2.5]SZ[9];W[ee];B[tt])\n"
    )


@st.composite
def records(draw):
    size = draw(st.integers(2, 25))
    line = st.integers(0, size - 1)
    point = st.tuples(line, line)
    stones = draw(st.lists(point, unique=True, max_size=6))
    black = draw(st.integers(0, len(stones)))
    color = st.sampled_from(["black", "white"])
    return sgf.GoRecord(
        size=size,
        komi=draw(st.none() | st.integers(-2000, 2000).map(lambda n: n / 2)),
        black=sorted(stones[:black]),
        white=sorted(stones[black:]),
        to_play=draw(color),
        moves=draw(st.lists(st.tuples(color, st.none() | point), max_size=8)),
        # Everything that is no space: those are folded in a line of text.
        result=draw(
            st.text(st.characters(exclude_categories=["C", "Z"]) | st.sampled_from("]\\:"))
        ),
    )


@fixed(200)
@given(records())
def test_a_record_that_is_written_reads_back_the_same(record):
    text = sgf.write(record)

    assert sgf.read(text) == record
    assert sgf.read(text.encode()) == record


def random_game(size, seed, plies):
    moves = random.Random(seed)
    start = "\n".join(["X" + "." * (size - 2) + "O", *["." * size] * (size - 1)])
    game = from_text(start, moves.choice(["black", "white"]), komi=moves.randrange(20) / 2)
    while len(game.moves) < plies and not game.is_over:
        game.play(moves.choice(game.legal_moves()))
    return game


@fixed(60)
@given(size=st.integers(2, 25), seed=st.integers(0, 2**32), plies=st.integers(0, 40))
def test_a_game_that_is_written_plays_back_the_same(size, seed, plies):
    game = random_game(size, seed, plies)

    again = from_sgf(to_sgf(game))

    assert str(again) == str(game)
    assert (again.moves, again.score()) == (game.moves, game.score())


@pytest.mark.parametrize(
    ("komi", "moves", "result"),
    [
        (7.5, "E5", ""),
        (7.5, "E5 pass pass", "B+73.5"),
        (0, "pass pass", "0"),
        (7.5, "pass pass", "W+7.5"),
        (7, "pass pass", "W+7"),
    ],
)
def test_the_result_is_written_once_the_game_is_over(komi, moves, result):
    game = new("go", size=9, komi=komi)
    for move in moves.split():
        game.play(move)

    assert sgf.read(to_sgf(game)).result == result


def test_a_handicap_game_is_written_with_its_stones():
    game = new("go", size=9, handicap=3, komi=0.5)
    game.play("E5")

    again = from_sgf(to_sgf(game))

    assert str(again) == str(game)
    assert again.moves == ["E5"]


# Games of people


@pytest.mark.proof
@pytest.mark.skipif(not HUMANS.exists(), reason="needs the shared collection of human games")
def test_games_of_a_large_collection_are_read_and_played():
    records = list(sgf.read_all(gzip.decompress(HUMANS.read_bytes())))

    assert len(records) == 4000
    for number, record in enumerate(records[::5]):
        game = from_sgf(record)
        # Nobody moves twice in a row, so no pass is put in between.
        assert len(game.moves) == len(record.moves)
        if number % 40 == 0:
            assert str(from_sgf(to_sgf(game))) == str(game)


@pytest.mark.parametrize(
    "text",
    ["(;SZ[9]KM[a\nb])", "(;GM[a\nb])", "(;SZ[9\n9])", "(;SZ[9]PL[a\nb])", "(;SZ[9];B[a\nb])"],
)
def test_a_line_break_in_a_property_makes_no_second_line_of_a_mistake(text):
    with pytest.raises(UserError) as refused:
        sgf.read(text)

    assert "\n" not in str(refused.value)
