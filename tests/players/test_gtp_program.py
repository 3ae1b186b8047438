"""Programs that speak GTP as players: good ones, bad ones, and how they are made to end."""

import json
import os
import shlex
import shutil
import signal
import subprocess
import sys

import psutil
import pytest
from conftest import is_alive, run_alone, wait_until

from mcts_cluster import games
from mcts_cluster.matches import match
from mcts_cluster.matches.schedule import MAX_ATTEMPTS
from mcts_cluster.matches.setup import Match, MatchKey, Setup
from mcts_cluster.players import gtp_program
from mcts_cluster.players.flat import Stateless
from mcts_cluster.players.gtp_program import EngineError, Program
from mcts_cluster.players.mcts import BANDITS, Mcts

# Debian keeps it where root's PATH does not look.
GNUGO = shutil.which("gnugo", path=f"{os.environ['PATH']}:/usr/games")
needs_gnugo = pytest.mark.skipif(GNUGO is None, reason="gnugo is not installed")

# What a fake program does with a line, before it does what any program would.
FAKE = """
import json, os, signal, subprocess, sys, time
answers, log = json.loads(sys.argv[1]), open(sys.argv[2], "a", buffering=1)

def say(text):
    print(text + "\\n", flush=True)

{start}
for line in sys.stdin:
    log.write(line)
    words = line.split()
{special}
    answer = answers.get(line.strip(), answers.get(words[0], ""))
    if isinstance(answer, list):
        answer = answer.pop(0) if answer else "pass"
    say(answer if answer[:1] in ("=", "?") else "= " + answer)
    if words == ["quit"]:
        break
"""


def children():
    """Return the processes that this one has started; multiprocessing keeps one of its own."""
    started = psutil.Process().children()
    return [one for one in started if "resource_tracker" not in " ".join(one.cmdline())]


@pytest.fixture
def fake(tmp_path):
    """Return a function that makes a program with some answers, by command or its first word."""

    def make(start="", special="", seconds=20, name="fake", **answers):
        path = tmp_path / f"{name}.py"
        body = "\n".join(f"    {line}" for line in special.splitlines())
        path.write_text(FAKE.format(start=start, special=body))
        said = {"genmove": [], "known_command": "false"} | answers
        words = [sys.executable, "-S", str(path), json.dumps(said), str(tmp_path / f"{name}.log")]
        return Program(shlex.join(words), seconds)

    return make


@pytest.fixture
def heard(tmp_path):
    """Return a function that tells what a fake program was sent."""
    return lambda name="fake": (tmp_path / f"{name}.log").read_text().splitlines()


class Script(Stateless):
    """A player who plays these moves, then passes."""

    def __init__(self, *moves):
        self.moves = list(moves)

    def choose(self, game, game_seed):
        turn = game.ply // 2
        return game.number(self.moves[turn] if turn < len(self.moves) else "pass")


def play(a, b, number=0, game="go", **settings):
    pair = Match(MatchKey("a", "b"), 2)
    default = {"size": 5} if game == "go" else {"size": 4}
    setup = Setup(1, game, default | settings, {"a": a, "b": b})
    return match.play(setup, pair, number)


# What a program is told


def test_a_program_is_told_the_game_and_every_move_of_the_other_one(fake, heard):
    play(fake(genmove=["C3", "d4"]), Script("B2"), komi=0.5)

    assert heard() == [
        "boardsize 5",
        "clear_board",
        "komi 0.5",
        "genmove b",
        "play w B2",
        "genmove b",
        "play w pass",
        "genmove b",
        "known_command final_score",
        "quit",
    ]


def test_a_program_with_the_second_move_plays_white(fake, heard):
    row = play(fake(genmove=["C3"]), Script("B2"), number=1, komi=-3)

    assert heard()[2:7] == ["komi -3", "play b B2", "genmove w", "play b pass", "genmove w"]
    assert (row.plies, row.how) == (4, "area")


def test_handicap_stones_are_played(fake, heard):
    play(Script(), fake(), size=9, handicap=2)

    assert heard()[2:7] == ["komi 7.5", "play b C3", "play b G7", "genmove w", "play b pass"]


def in_session(player, game, seed=1):
    return match.closing(player.session(game, seed))


def test_a_position_is_set_up_with_the_stones_of_both_colours(fake, heard):
    game = games.from_text(". X .\n. . O\n. . O", to_play="white")
    game.play("A1")

    with in_session(fake(), game) as session:
        session.choose()

    assert heard()[3:-1] == ["play w C1", "play w C2", "play b B3", "play w A1", "genmove b"]


def test_moves_taken_back_are_replayed_from_the_start(fake, heard):
    game = games.new("go", size=5)

    with in_session(fake(genmove=["C3", "D4"]), game) as session:
        game.play_number(session.choose())
        game.play("B2")
        game.undo()
        game.play("B4")
        game.play_number(session.choose())
        for _ in range(3):
            game.undo()
        game.play("A1")
        session.choose()

    new = ["boardsize 5", "clear_board", "komi 7.5"]
    assert heard()[:-1] == [
        *[*new, "genmove b", "play w B4", "genmove b"],
        *[*new, "play b A1", "genmove w"],
    ]


def test_a_move_that_was_never_played_is_taken_back_too(fake, heard):
    game = games.new("go", size=5)

    with in_session(fake(genmove=["C3", "D4"]), game) as session:
        moves = [game.core.name(session.choose()) for _ in range(2)]

    assert moves == ["C3", "D4"]
    assert heard().count("clear_board") == 2


def test_every_game_has_a_seed_that_a_program_can_take(fake):
    program = fake()
    with_seed = Program(f"{program.command} seed={{seed}} {{other}}")
    lines = []

    for game_seed in (1, 2, 2**64 - 1):
        with in_session(with_seed, games.new("go"), game_seed) as session:
            lines.append(psutil.Process(session.process.process.pid).cmdline()[-2:])

    assert lines == [["seed=1", "{other}"], ["seed=2", "{other}"], ["seed=2147483647", "{other}"]]


# Havannah


def test_havannah_is_played_by_the_names_that_are_ours(fake, heard):
    white = fake(genmove=["d4", "D5"], **{"known_command hguicoords": "true"})

    game = games.new("havannah", size=4)

    with in_session(white, game) as session:
        game.play_number(session.choose())
        game.play("g7")
        game.play_number(session.choose())

    assert game.moves == ["d4", "g7", "d5"]
    assert heard()[:-1] == [
        *["boardsize 4", "clear_board", "known_command hguicoords", "hguicoords"],
        *["genmove w", "play b g7", "genmove w"],
    ]


def test_the_swap_of_havannah_goes_by_its_name(fake, heard):
    game = games.new("havannah", size=4, swap=True)

    with (
        in_session(fake(name="first", genmove=["d4", "e5"]), game) as first,
        in_session(fake(name="second", genmove=["swap"]), game) as second,
    ):
        for session in (first, second, first):
            game.play_number(session.choose())

    assert game.moves == ["d4", "d4", "e5"]
    assert "play b swap" in heard("first")
    assert "play w d4" in heard("second")


# How a game ends


@pytest.mark.parametrize("word", ["resign", "RESIGN"])
@pytest.mark.parametrize(("number", "plies"), [(0, 2), (1, 3)])
def test_a_program_that_resigns_loses_at_once(word, number, plies, fake):
    row = play(fake(genmove=["C3", word]), Script("B2", "D4"), number, komi=-50)

    assert (row.points, row.plies, row.how) == (0, plies, "resigned")


def test_the_other_one_wins_then(fake):
    row = play(Script("B2"), fake(genmove=["resign"]))

    assert (row.points, row.plies, row.how) == (1, 1, "resigned")


CAN_JUDGE = {"known_command final_score": "true"}

# Nobody has a stone on the board: what the program says is all there is to go by.
VERDICTS = [
    ("B+0.5", 1, "a's final_score"),
    ("W+12", 0, "a's final_score"),
    ("b+3.5 (upper bound: 4)", 1, "a's final_score"),
    ("0", 0.5, "a's final_score"),
    ("? cannot score", 0, "area"),
    ("", 0, "area"),
    ("B+Resign", 0, "area"),
    ("white wins", 0, "area"),
]


@pytest.mark.parametrize(("said", "points", "how"), VERDICTS)
def test_a_program_that_can_is_asked_for_the_final_score(said, points, how, fake):
    row = play(fake(final_score=said, **CAN_JUDGE), Script())

    assert (row.points, row.how) == (points, how)


def test_the_player_with_the_program_may_have_either_colour(fake):
    judge = fake(final_score="B+0.5", **CAN_JUDGE)

    rows = [play(Script(), judge, number) for number in (0, 1)]

    assert [(row.points, row.how) for row in rows] == [
        (1, "b's final_score"),
        (0, "b's final_score"),
    ]


def test_a_program_that_does_not_know_known_command_is_asked_for_its_list(fake, heard):
    listed = "play\ngenmove\nfinal_score"
    judge = fake(final_score="B+0.5", known_command="? unknown", list_commands=listed)

    assert play(judge, Script()).how == "a's final_score"


def test_a_program_that_knows_neither_is_not_asked(fake, heard):
    row = play(fake(known_command="? unknown", list_commands="? final_score"), Script())

    assert row.how == "area"
    assert heard()[-2:] == ["list_commands", "quit"]


@pytest.mark.parametrize(
    ("one", "other", "points", "how"),
    [
        ("B+9", "B+1", 1, "a's final_score"),
        ("B+9", "W+1", 1, "a's final_score, not b's final_score"),
        ("W+9", "0", 0, "a's final_score, not b's final_score"),
        ("? no", "B+1", 1, "b's final_score"),
        ("? no", "? no", 0, "area"),
    ],
)
def test_of_two_programs_the_one_named_first_judges(one, other, points, how, fake):
    a, b = (
        fake(name=name, final_score=said, **CAN_JUDGE) for name, said in (("a", one), ("b", other))
    )

    rows = [play(a, b, number) for number in (0, 1)]

    assert [row.how for row in rows] == [how, how]
    assert [row.points for row in rows] == [points, 1 - points]


def test_a_game_that_is_cut_off_is_counted_as_it_stands(fake, monkeypatch):
    monkeypatch.setattr(match, "MAX_PLIES_PER_POINT", 0.08)

    row = play(fake(genmove=["C3"], final_score="W+9", **CAN_JUDGE), Script("B2"), komi=-1)

    assert (row.points, row.plies, row.how) == (1, 2, "cut off")


def test_havannah_needs_no_judge(fake, heard):
    game = games.new("havannah", size=2)

    with in_session(fake(final_score="B+1", **CAN_JUDGE), game) as session:
        for move in ("a1", "b1", "a2"):
            game.play(move)
        score = session.final_score()

    assert score is None
    assert "final_score" not in heard()


# Programs that do not do their part


DEATH = "if words[0] == 'genmove': {}"

FAILURES = [
    # How the program is made, and what is said of it.
    ({"komi": "? unknown command"}, "to 'komi 7.5' it answered '? unknown command'"),
    ({"boardsize": "?unacceptable\nsize"}, "to 'boardsize 5' it answered '? unacceptable size'"),
    ({"play": "? illegal move"}, "to 'play w B2' it answered '? illegal move'"),
    ({"genmove": "? no"}, "to 'genmove b' it answered '? no'"),
    ({"genmove": ["C3", "B2"]}, "to 'genmove b' it answered 'B2', which is illegal: occupied"),
    (
        {"genmove": ""},
        "to 'genmove b' it answered '': '' is not a point, must be a letter and a number, like E5",
    ),
    (
        {"genmove": ["F1"]},
        "to 'genmove b' it answered 'F1': 'F1' is off the board: its points are A1 to E5",
    ),
    (
        {"special": DEATH.format("sys.exit(3)")},
        "to 'genmove b' it answered nothing and ended with status 3",
    ),
    (
        {"special": DEATH.format("sys.exit('no  more\\nmemory')")},
        "to 'genmove b' it answered nothing and ended with status 1; "
        "its last output: no more memory",
    ),
    (
        {"special": DEATH.format("os.kill(os.getpid(), signal.SIGSEGV)")},
        "to 'genmove b' it answered nothing and was ended by signal 11",
    ),
    (
        {"special": DEATH.format("print('= C3'); break")},
        "to 'genmove b' it answered nothing and ended with status 0",
    ),
    ({"start": "sys.exit(2)"}, "to 'boardsize 5' it answered nothing and ended with status 2"),
    (
        {"special": DEATH.format("continue"), "seconds": 1},
        "to 'genmove b' it answered nothing for 1 s",
    ),
    (
        {"special": DEATH.format("print('=', flush=True); time.sleep(9)"), "seconds": 1},
        "to 'genmove b' it answered nothing for 1 s",
    ),
]


@pytest.fixture
def impatient(monkeypatch):
    monkeypatch.setattr(gtp_program, "SECONDS_TO_END", 0.1)


@pytest.mark.parametrize(("how", "said"), FAILURES, ids=[said for _, said in FAILURES])
def test_a_program_that_fails_is_quoted_and_gone(how, said, fake, impatient):
    program = fake(**how)

    with pytest.raises(EngineError) as failed:
        play(program, Script("B2"))

    assert str(failed.value) == f"{program.command}: {said}"
    assert children() == []


def test_a_program_that_is_not_there_is_one_line():
    with pytest.raises(EngineError) as failed:
        play(Script(), Program("/nowhere/gnugo --mode gtp"))

    says = "/nowhere/gnugo: cannot be started: No such file or directory"
    assert str(failed.value) == f"player.b.command: {says}"
    assert children() == []


def test_a_program_that_talks_without_end_does_not_answer(fake, impatient):
    endless = "while words[0] == 'genmove': print('thinking', flush=True)"

    with pytest.raises(EngineError, match=r"(1 s|bytes); its last output: .*thinking"):
        play(fake(special=endless, seconds=1), Script())


@pytest.mark.parametrize("stream", ["stdout", "stderr"])
def test_what_a_program_says_beside_its_answers_disturbs_nobody(stream, fake):
    chatter = f"print('thinking\\n\\n' * 20_000, file=sys.{stream}, flush=True)"

    row = play(fake(special=chatter, genmove=["C3"]), Script("B2"), komi=-1)

    assert (row.plies, row.points) == (4, 1)


def test_an_answer_may_have_blanks_and_carriage_returns(fake):
    program = fake(special=DEATH.format("print('=  c3 \\r\\n\\r', flush=True); continue"))

    with in_session(program, games.new("go")) as session:
        assert games.new("go").core.name(session.choose()) == "C3"


def test_a_failure_in_a_worker_makes_a_game_void_with_one_line(fake, tmp_path):
    program = fake(genmove=["Z9"])
    job = tmp_path / "job.toml"
    job.write_text(
        f"[game]\nsize = 5\n[player.bad]\ncommand = {json.dumps(program.command)}\n"
        "[player.good]\nplayouts = 4\n[[match]]\nplayers = ['bad', 'good']\ngames = 1\n"
    )

    words = ["run", str(job), "-o", str(tmp_path / "job.h5")]
    ended = run_alone([sys.executable, "-m", "mcts_cluster", *words], seconds=60)

    lines = ended.stderr.splitlines()
    void = [line for line in lines if line.startswith("void: game 0 of bad against good, process ")]
    assert ended.returncode == 1
    assert len(void) >= MAX_ATTEMPTS
    assert all(f"{program.command}: to 'genmove b' it answered" in line for line in void)
    left = f"{tmp_path}/job.h5: 1 game is void, whatever was tried; the last one: {program.command}"
    assert [line for line in lines if line.startswith(left)]


# How programs are made to end


# It hears neither the end of its input nor a signal, and its child neither.
DEAF = """
signal.signal(signal.SIGTERM, signal.SIG_IGN)
child = "import time; print(end='', flush=True); time.sleep(60)"
child = subprocess.Popen([sys.executable, "-S", "-c", child])
log.write(f"{os.getpid()} {child.pid}\\n")
"""
NEVER_ENDING = "if words[0] in ('quit', 'genmove'): time.sleep(60)"


def test_a_program_that_ends_when_it_is_asked_is_left_to_do_so(fake, tmp_path):
    done = tmp_path / "done"
    last = f"if words == ['quit']: time.sleep(0.2); open({str(done)!r}, 'w')"

    with in_session(fake(special=last), games.new("go")):
        pass

    assert done.exists()
    assert children() == []


def test_a_program_that_does_not_end_is_killed_with_what_it_has_started(fake, heard, impatient):
    with in_session(fake(DEAF, NEVER_ENDING), games.new("go")):
        family = [int(word) for word in heard()[0].split()]
        assert all(map(is_alive, family))

    assert children() == []
    wait_until(lambda: not any(map(is_alive, family)))


def test_closing_twice_is_as_good_as_once(fake):
    session = fake().session(games.new("go"), 1)

    session.close()
    session.close()


@pytest.mark.parametrize("name", ["SIGTERM", "SIGKILL"])
@pytest.mark.parametrize("busy", [False, True], ids=["waiting", "thinking"])
def test_a_program_ends_with_the_process_that_plays_with_it(name, busy, fake, heard, tmp_path):
    program = fake(DEAF, NEVER_ENDING)
    code = (
        "import sys, time\n"
        "from mcts_cluster import games\n"
        "from mcts_cluster.players.gtp_program import Program\n"
        "session = Program(sys.argv[1]).session(games.new('go'), 1)\n"
        f"session.choose() if {busy} else time.sleep(60)"
    )
    words = [sys.executable, "-c", code, program.command]
    with subprocess.Popen(words, stderr=subprocess.DEVNULL) as player:
        last = "genmove b" if busy else "komi 7.5"
        wait_until(lambda: (tmp_path / "fake.log").exists() and last in heard())
        family = [int(word) for word in heard()[0].split()]
        family += [child.pid for child in psutil.Process(player.pid).children(recursive=True)]

        player.send_signal(signal.Signals[name])

    assert len(family) >= 4
    wait_until(lambda: not any(map(is_alive, family)), seconds=10)


# A real one


@needs_gnugo
@pytest.mark.parametrize("number", [0, 1])
def test_a_game_against_gnugo(number):
    gnugo = Program(f"{GNUGO} --mode gtp --level 0 --chinese-rules --seed {{seed}}", 60)

    row = play(Mcts(50, **BANDITS["uct"]), gnugo, number, size=7, superko="simple")

    assert (row.points, row.how) == (0, "b's final_score")
    assert row.plies > 10


@needs_gnugo
def test_gnugo_counts_a_handicap_as_we_do():
    game = games.new("go", size=9, komi=0.5, handicap=4)
    wall = games.from_text("\n".join([". . X O . . . . ."] * 9), komi=0.5)

    with in_session(Program(f"{GNUGO} --mode gtp --chinese-rules"), game) as session:
        game.pass_()
        game.pass_()
        handicap = session.final_score()
    with in_session(Program(f"{GNUGO} --mode gtp --chinese-rules"), wall) as session:
        score = session.final_score()

    assert handicap == game.score()
    assert score == wall.score()
