"""Inputs of all kinds, made from seeds: valid ones, changed at some places.

Each kind has texts that are right, and a function that takes any text: it may refuse it with the
exception for mistakes of the user, and nothing else. To look for what breaks one:

    python tests/faults/fuzzing.py --inputs 100000 --seed 7
    python tests/faults/fuzzing.py --corpus 20      # the short corpus, as tests/faults/corpus.json
"""

import json
import random
import re
import signal
import sys
import time
from argparse import ArgumentParser
from contextlib import contextmanager
from pathlib import Path

from cext.go import Go
from mcts_cluster import games
from mcts_cluster.benchmarks import exchange_model
from mcts_cluster.errors import UserError
from mcts_cluster.games import hgf, sgf
from mcts_cluster.gtp.arguments import settings_of
from mcts_cluster.gtp.go import GoEngine
from mcts_cluster.gtp.havannah import HavannahEngine
from mcts_cluster.gtp.protocol import serve
from mcts_cluster.jobs import compatibility, jobfile, kept_settings
from mcts_cluster.jobs.kept_files import kept_players
from mcts_cluster.matches.portion import ALL
from mcts_cluster.players import bias_patterns, move_model
from mcts_cluster.reports.kinds import KINDS
from mcts_cluster.storage.new_file import image_of
from mcts_cluster.storage.results import Results, RunRecord
from mcts_cluster.text_files import in_place_of_files

ROOT = Path(__file__).parents[2]
SECONDS = 10  # for one input
BYTES_OF_A_PAGE = 4096

# What is put in at random places.
STRANGE = [
    *("", " ", "\n", "\0", "\\u0000", "\x1b[2J", "é", "\u2028", "\ufeff", "\U0001f3b2", "\\ud800"),
    *("0", "-1", "1e400", "-1e400", "nan", "inf", "1" + "0" * 30, "9" * 5000, "0x7fffffff", "1_0"),
    *(str(2**31), str(-(2**31)), str(2**63), str(-(2**63) - 1), str(2**64), "0.5", "1e-320"),
    *("true", "false", "null", "[]", "{}", '""', "[1]", '["a"]', "{a = 1}", "5", "'a'", '"a"'),
    *("[" * 3000, "{" * 3000, "(" * 3000, "(;" * 2000, "a." * 2000, "]", "}", ")", "[[", "=", ";"),
    *("[player.a]", "[[match]]", "[game]", "[campaign]", "[positions]", "vary.a.simulations = 5"),
    *("1979-05-27T07:32:00Z", "07:32:00", "like", "vary", "players = 5", "players = ['a', 'a']"),
    *(
        "A1",
        "z99",
        "pass",
        "resign",
        "swap",
        "x" * 3000,
        "{seed}",
        "b",
        "w",
        "a1 a1",
        "#",
        '"',
        "'",
    ),
]
TOKEN = re.compile(r"\w+|\s+|[^\w\s]")


def changed(text, others, draw):
    """Return a text with a change, or some."""
    for _ in range(1 + min(int(draw.expovariate(1)), 11)):
        text = draw.choice(CHANGES)(text, others, draw)
        # What grows without end would only make the others slow.
        text = text[:20_000]
    return text


def place(text, draw):
    return draw.randrange(len(text) + 1)


def part(text, draw):
    start = place(text, draw)
    return start, min(len(text), start + 1 + int(draw.expovariate(0.05)))


def put_in(text, others, draw):
    at = place(text, draw)
    return text[:at] + draw.choice(STRANGE) + text[at:]


def put_in_place_of_a_word(text, others, draw):
    words = TOKEN.findall(text)
    if words:
        words[draw.randrange(len(words))] = draw.choice(STRANGE)
    return "".join(words)


def exchange_words(text, others, draw):
    words = TOKEN.findall(text)
    if words:
        i, j = draw.randrange(len(words)), draw.randrange(len(words))
        words[i], words[j] = words[j], words[i]
    return "".join(words)


def leave_out(text, others, draw):
    start, end = part(text, draw)
    return text[:start] + text[end:]


def say_again(text, others, draw):
    start, end = part(text, draw)
    return text[:start] + text[start:end] * draw.choice((2, 3, 50)) + text[end:]


def cut_off(text, others, draw):
    return text[: place(text, draw)]


def exchange_lines(text, others, draw):
    lines = text.split("\n")
    i, j = draw.randrange(len(lines)), draw.randrange(len(lines))
    lines[i], lines[j] = lines[j], lines[i]
    return "\n".join(lines)


def go_on_as_another(text, others, draw):
    other = draw.choice(others)
    return text[: place(text, draw)] + other[place(other, draw) :]


def change_a_character(text, others, draw):
    if not text:
        return text
    at = draw.randrange(len(text))
    return text[:at] + chr((ord(text[at]) ^ (1 << draw.randrange(7))) & 127) + text[at + 1 :]


CHANGES = (
    *(put_in, put_in_place_of_a_word, put_in_place_of_a_word, exchange_words, leave_out, say_again),
    *(cut_off, exchange_lines, go_on_as_another, change_a_character),
)


# The kinds of inputs


def read_job(text):
    begin(jobfile.read_text(text))


def begin(job):
    """Do with a job what a run does before the first game, up to its file in memory."""
    kind = KINDS[job.experiment.kind]
    results = Results(
        title=job.title,
        game=job.game,
        text=job.text,
        overrides="\n".join(job.overrides),
        kind=job.experiment.kind,
        settings=compatibility.written(compatibility.describe(job)),
        matches=kind.records(job),
        runs=(RunRecord(0.0),),
        tables=kind.tables(job),
    )
    image_of(results)
    kind.plan(job, results, ALL).issue()


def read_overrides(text):
    begin(jobfile.read_text(JOBS[0], text.splitlines()))


def read_words(text):
    values = settings_of(text.splitlines())
    game = values.pop("game", {})
    if isinstance(game, dict):
        GoEngine({"simulations": 2, **values}, game).close()


def read_sgf(text):
    # As bytes, too, which may be in any encoding.
    for data in (text, text.encode("latin-1", "replace")):
        for record in sgf.read_all(data):
            games.to_sgf(games.from_sgf(record))


def read_hgf(text):
    for record in hgf.read_all(text):
        games.to_hgf(games.from_hgf(record))


def read_patterns(text):
    found = bias_patterns.parse(text)
    assert bias_patterns.parse(bias_patterns.write(found)) == found
    bias_patterns.compiled(found)


def read_positions(text):
    with in_place_of_files({"file": text}):
        read_job(JOB_OF_POSITIONS)


def read_model(text):
    with in_place_of_files({"file": text}):
        move_model.loaded(move_model.source("file")).factors(Go(9))
    move_model.loaded.cache_clear()


def read_settings(text):
    kept = kept_settings.checked(text, complete=True)
    for written in JOBS:
        try:
            job = jobfile.read_text(written, (), kept)
        except UserError:
            continue
        if not compatibility.differences(kept, job):
            kept_players(job.players, kept)


def read_measurements(text):
    with in_place_of_files({"file": text}):
        exchange_model.read("file")


def talk_of_go(text):
    talk(GoEngine({"simulations": 2}, {"size": 5}), text)


def talk_of_havannah(text):
    talk(HavannahEngine({"simulations": 2}, {"size": 3}), text)


def talk(engine, text):
    """Have an engine answer all lines; each has one answer, in the form of the protocol."""
    said = []
    try:
        serve(engine, Typed(quick(text)), said.append)
    finally:
        engine.close()
    for answer in "".join(said).split("\n\n")[:-1]:
        assert answer[0] in "=?", answer


def quick(text):
    """Return lines without those that start programs, write files, or ask for a long time."""
    slow = re.compile(r"command|seconds|time|-m|-g|-r|-i|interval|lz-|simulations|machines|owners")
    return [line for line in text.split("\n") if not slow.search(line)][:40]


class Typed(list):
    def are_waiting(self):
        return True


JOBS = [
    """title = "a job"
seed = 3
[game]
size = 5
[player.a]
simulations = 10
[player.b]
like = "a"
rave = 0
[player."c d"]
playouts = 10
[player.e]
command = "gnugo --mode gtp --seed {seed}"
[player.f]
simulations = 20
machines = 3
sharing = "majority"
[[match]]
players = ["a", "b"]
games = 10
vary.a.simulations = [10, 20]
[[match]]
players = ["e", "c d"]
games = 3
opening = 2
resign_below = 0.1
published = "table1.go9.1000"
""",
    """[game]
size = 7
komi = 6.5
superko = "simple"
[player.base]
simulations = 10
[campaign]
player = "base"
iterations = 3
candidates = [2, 3]
stopping_rule = "sprt"
lower = 0.5
upper = 0.6
risk = 0.05
first_batch = 10
max_games = 100
""",
    """[game]
name = "havannah"
size = 4
swap = true
[player.x]
seconds = 0.1
threads = 2
[player.y]
bandit = "uct"
simulations = 30
[[match]]
players = ["x", "y"]
games = 2
""",
]
JOB_OF_POSITIONS = """[game]
size = 5
[player.a]
simulations = 10
[positions]
file = "file"
players = ["a"]
simulations = [10, 20]
runs = 3
"""
POSITIONS = """position one      ; a remark
to play = black
good moves = A1 C2
proof = by hand

    . . . . .
    . . O . .
    . O X O .
    . . . . .
    . . . . .
position two
to play = white
good moves = A1

    . X . . .
    X . . . .
    . . . . .
    . . . . .
    . . . . O
"""
PATTERNS = """pattern hane      ; a remark
strength = 0.5

    X O ?
    . * .
    # # #

pattern
strength = -3
S . *
"""
RECORDS_OF_GO = [
    "(;FF[4]GM[1]SZ[9]KM[6.5]CA[UTF-8]RE[B+3.5]PB[a];B[cc];W[gg];B[];W[])",
    "(;GM[1]SZ[5]AB[aa][bb]AW[cc]PL[W];W[dd];B[ee](;W[ab])(;W[ba]))(;GM[1]SZ[3];B[aa])",
]
RECORDS_OF_HAVANNAH = [
    "(;FF[4]SZ[4]RU[LG];W[E1];B[swap];W[F2];B[D3])",
    "(;FF[4]GM[havannah]SZ[4]RE[W];W[e2];B[d3];W[a1];B[resign])",
]
TALK_OF_GO = [
    "boardsize 5\nclear_board\nkomi 5.5\nplay b C3\nplay w pass\ngenmove b\nundo\nshowboard\n"
    "1 reg_genmove w\nfinal_score\nfinal_status_list dead\nlist_commands\nknown_command play\n",
    "fixed_handicap 2\nplace_free_handicap 3\nclear_board\nset_free_handicap A1 B2 C3\nget_komi\n"
    "gogui-play_sequence b A1 w B2\ngg-undo 2\nkgs-genmove_cleanup b\nversion\nname\n"
    "loadsgf none.sgf 3\nanalyze_semeai A1 B2\ngomill-describe_engine\ncputime\nquit\n",
]
TALK_OF_HAVANNAH = [
    "boardsize 3\nclear_board\nplay w a1\nplay b b2\ngenmove w\nswap 1\nundo\nhistory\nall_legal\n"
    "winner\nfinal_score\nshowboard\npv\nmove_stats\nhguicoords\nplaygame a1 b2 c3\n",
    "swap 1\nwhite a1\nblack swap\ngridcoords\ngenmove\nundo 2\nplayer_params rave=0\nmode\nquit\n",
]


def settings_texts():
    return [compatibility.written(compatibility.describe(jobfile.read_text(job))) for job in JOBS]


def kinds():
    """Return for each kind its right texts and its reader."""
    zone = "board_zone 1 2 3 4 5 6 7 8\n" * 24
    model = f"# a model\n{zone}shape {20 * '.'} 3\nshape X{19 * '.'} -4\n"
    measured = (ROOT / "results" / "exchanges-32.json").read_text()
    every = [path.read_text() for path in sorted((ROOT / "jobs").glob("*.toml"))[::10]]
    sets = 'seed=3\ngame.size=7\nplayer.a.rave=5\nmatch.0.games=4\nplayer."c d".playouts=3\n'
    return {
        "job": (JOBS + [text for text in every if "patterns =" not in text], read_job),
        "set": ([sets, 'match[0].players=["a", "b"]\ntitle=x y\n'], read_overrides),
        "words": (
            ["game.size=7\nrave=5\nbandit=uct\nsolve=true\n", "simulations=5\ngame.komi=5.5\n"],
            read_words,
        ),
        "sgf": (RECORDS_OF_GO, read_sgf),
        "hgf": (RECORDS_OF_HAVANNAH, read_hgf),
        "patterns": ([PATTERNS], read_patterns),
        "positions": ([POSITIONS], read_positions),
        "model": ([model], read_model),
        "settings": (settings_texts(), read_settings),
        "measurements": ([measured], read_measurements),
        "gtp go": (TALK_OF_GO, talk_of_go),
        "gtp havannah": (TALK_OF_HAVANNAH, talk_of_havannah),
    }


# Trying them


class TooLong(BaseException):
    """An input took longer than it may."""


@contextmanager
def deadline(seconds):
    def stop(*_):
        raise TooLong(f"longer than {seconds} s")

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def taken(read, text, seconds=SECONDS):
    """Give a text to a reader; return whether it was accepted. Any other exception gets out."""
    with deadline(seconds):
        try:
            read(text)
        except UserError as error:
            assert str(error), "a refusal without a word"
            # A hundred mistakes with what is known in place of each.
            assert len(str(error)) < 200_000, "a refusal of many pages"
            return False
    return True


def made(name, texts, number, seed):
    """Return an input of a kind by its number."""
    draw = random.Random(f"{seed} {name} {number}")
    return changed(draw.choice(texts), texts, draw)


def memory():
    """Return the memory of this process, in bytes."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * BYTES_OF_A_PAGE


def search(count, seed, names=(), report=print):
    """Try so many inputs of all kinds in turn; return what broke, and the growth of memory."""
    found, accepted, slowest = [], 0, {}
    chosen = {name: kind for name, kind in kinds().items() if not names or name in names}
    begin = 0
    for number in range(count):
        name = list(chosen)[number % len(chosen)]
        texts, read = chosen[name]
        text = made(name, texts, number, seed)
        began = time.monotonic()
        try:
            accepted += taken(read, text)
        except (Exception, TooLong) as error:
            found.append((name, text, error))
            report(f"{name} {number}: {type(error).__name__}: {str(error)[:200]}")
        slowest[name] = max(slowest.get(name, (0, 0)), (time.monotonic() - began, number))
        if number == count // 10:
            begin = memory()
    return found, accepted, memory() - begin, slowest


def corpus(count, seed):
    """Return so many inputs of each kind, as short as they come."""
    inputs = []
    for name, (texts, _) in kinds().items():
        short = sorted((made(name, texts, number, seed) for number in range(20 * count)), key=len)
        inputs += [{"kind": name, "text": text} for text in short[count // 2 : -1 : 20][:count]]
    return inputs


def main():
    parser = ArgumentParser()
    parser.add_argument("--inputs", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kind", action="append", default=[])
    parser.add_argument("--corpus", type=int)
    args = parser.parse_args()
    if args.corpus:
        print(json.dumps(corpus(args.corpus, args.seed), indent=0))
        return
    began = time.monotonic()
    found, accepted, growth, slowest = search(args.inputs, args.seed, args.kind)
    seconds = time.monotonic() - began
    print(f"{args.inputs:,} inputs in {seconds:.0f} s, {accepted:,} accepted, {len(found)} broke")
    print(f"memory grew by {growth / 1e6:.1f} MB")
    for name, (longest, number) in slowest.items():
        print(f"  {name}: {longest:.2f} s at most, number {number}")
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
