"""Records of Havannah: both dialects, read and written, and what is refused."""

import pytest

from mcts_cluster.errors import UserError
from mcts_cluster.games import IllegalMove, from_hgf, hgf, new, to_hgf

LITTLE_GOLEM = """(;FF[4]EV[havannah.in.size4.4]PB[a]PW[b]SZ[4]RU[LG]RE[B]GC[ game #1]SO[http://example.org];
W[E1];B[swap];W[F2];B[D3];W[G1];B[E4];W[G4];B[F3];W[E5];B[D6];W[D5];B[C2];W[G3];B[G2];W[E6];
B[E3];W[D7];B[resign])"""


def test_a_record_of_little_golem_is_played():
    game = from_hgf(LITTLE_GOLEM)

    assert game.size == 4
    assert game.moves[:4] == ["e2", "e2", "f4", "d3"]
    assert len(game.moves) == 17
    assert not game.is_over
    # Black took over the first stone, whose cell is the first of its column.
    assert game.core.color(game.core.number("e2")) == 2


def test_only_the_first_moves_are_played_if_so_wanted():
    assert from_hgf(LITTLE_GOLEM, moves=3).moves == ["e2", "e2", "f4"]


def test_a_record_with_our_own_coordinates_is_played():
    game = from_hgf("(;FF[4]GM[havannah]SZ[5]\n ;W[a1]C[good]\n ;B[e9])")

    assert game.size == 5
    assert game.moves == ["a1", "e9"]


@pytest.mark.parametrize("little_golem", [False, True])
@pytest.mark.parametrize("size", [2, 5, 13, 14, 16])
def test_what_is_written_is_read_back(size, little_golem):
    game = new("havannah", size=size)
    for move in game.core.playout_moves(size):
        game.play_number(move)

    text = to_hgf(game, little_golem)

    assert from_hgf(text).moves == game.moves
    assert hgf.read(text).little_golem == little_golem
    assert hgf.read(text).result == {"white": "W", "black": "B", None: "0"}[game.winner()]


def test_a_swap_is_written_as_a_word():
    game = new("havannah", size=4, swap=True)
    for move in ("e2", "swap", "a1"):
        game.play(move)

    assert to_hgf(game, little_golem=True) == "(;FF[4]SZ[4]RU[LG];W[E1];B[swap];W[A1])\n"
    assert from_hgf(to_hgf(game)).moves == ["e2", "e2", "a1"]


WRONG = [
    ("(;GM[1]SZ[5];W[a1])", "HGF, game 1: GM[1] is not Havannah, which is GM[havannah]"),
    ("(;GM[havannah];W[a1])", "HGF, game 1: SZ[]: must be a size"),
    ("(;SZ[5];W[a1]B[a2])", "HGF, game 1: node 1: a move of White and one of Black in one node"),
    ("(;SZ[5555];W[a1])", "HGF, game 1: SZ[5555]: must be a size"),
    ("(;SZ[5\n5];W[a1])", "HGF, game 1: SZ[5 5]: must be a size"),
    ("(;SZ[\u0664];W[a1])", "HGF, game 1: SZ[\u0664]: must be a size"),
    ("(;GM[a\nb]SZ[5])", "HGF, game 1: GM[a b] is not Havannah, which is GM[havannah]"),
    ("(;SZ[five];W[a1])", "HGF, game 1: SZ[five]: must be a size"),
    ("(;SZ[5];B[a1])", "HGF, game 1: node 1: B moves out of turn"),
    ("(;SZ[5];W[a1];W[a2])", "HGF, game 1: node 2: W moves out of turn"),
    ("(;SZ[17];W[a1])", "game.size: 17 is too large, must be at most 16"),
    ("(;SZ[5];W[a1];B[a1])", "move 2: black cannot play a1: occupied"),
    ("(;SZ[5];W[z1])", "move 1: 'z1' is off the board"),
    ("(;SZ[5];W[])", "move 1: '' is not a cell, must be a letter and a number, like e5"),
]


@pytest.mark.parametrize(("text", "message"), WRONG)
def test_what_is_wrong_is_said_in_a_line(text, message):
    with pytest.raises(UserError) as caught:
        from_hgf(text)

    assert str(caught.value) == message


def test_a_move_after_the_end_is_refused():
    with pytest.raises(IllegalMove, match=r"move 6: black cannot play c2: the game is over"):
        from_hgf("(;SZ[3];W[a1];B[c3];W[b1];B[d2];W[c1];B[c2])")


@pytest.mark.parametrize("text", ["", "(;SZ[5]", "nothing"])
def test_what_is_no_record_is_refused(text):
    with pytest.raises(UserError, match=r"^HGF: "):
        from_hgf(text)


def test_go_is_not_written_as_havannah():
    with pytest.raises(UserError, match=r"^Go is not Havannah$"):
        to_hgf(new("go", size=9))


SAME = [
    "(;GM[Havannah]SZ[4];W[e2])",
    "(;SZ[4]RU[lg];W[E1])",
    "(;SZ[4]RU[swap];W[e2])",
    "(;SZ[ 4 ]RU[ LG ];W[ E1 ])",
]


@pytest.mark.parametrize("text", SAME)
def test_properties_are_read_whatever_their_case_and_blanks(text):
    assert from_hgf(text).moves == ["e2"]


def test_what_follows_a_resignation_is_not_read():
    assert from_hgf("(;SZ[5];W[a1];B[resign];B[b1])").moves == ["a1"]


def test_little_golem_writes_capitals_up_to_size_13():
    games = [new("havannah", size=size) for size in (13, 14)]
    for game in games:
        game.play("a1")

    assert [to_hgf(game, little_golem=True) for game in games] == [
        "(;FF[4]SZ[13]RU[LG];W[A1])\n",
        "(;FF[4]SZ[14]RU[LG];W[a1])\n",
    ]


def test_our_own_coordinates_come_with_the_name_of_the_game():
    assert to_hgf(new("havannah", size=4)) == "(;FF[4]SZ[4]GM[havannah])\n"


def test_a_swap_that_was_not_used_is_not_written():
    game = new("havannah", size=4, swap=True)
    for move in ("e2", "d3"):
        game.play(move)

    assert to_hgf(game) == "(;FF[4]SZ[4]GM[havannah];W[e2];B[d3])\n"


def test_the_words_are_read_in_any_case():
    assert from_hgf("(;SZ[13];W[A1];B[SWAP];W[Resign])").moves == ["a1", "a1"]


def test_the_words_are_read_in_any_case_on_big_boards_too():
    assert from_hgf("(;SZ[14];W[a1];B[SWAP];W[Resign])").moves == ["a1", "a1"]
