"""Jobs, settings and paths that are wrong in every way: one line and status 2, and nothing made."""

import gzip
import os
import re
from pathlib import Path

import pytest
from fuzzing import deadline

from mcts_cluster.__main__ import main
from mcts_cluster.errors import UserError
from mcts_cluster.players import bias_patterns, move_model_training

JOB = """
[game]
size = 4
[player.a]
simulations = 4
[player.b]
playouts = 4
[[match]]
players = ["a", "b"]
games = 2
"""
PLACE = re.compile(r"\bjob\.toml:\d+: ")
EXAMPLE = Path(__file__).parents[2] / "results" / "quickstart-example.h5"
CAMPAIGN = EXAMPLE.with_name("bgp-good-9x9-laptop.h5")


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("job.toml").write_text(JOB)
    return tmp_path


def refused(capsys, *words):
    """Return the one line with which a call is refused; it leaves nothing that was not there.

    Where the mistake is in a line of a job, that is quoted behind it.
    """
    before = sorted(Path().rglob("*"))
    assert main(list(map(str, words))) == 2
    said = capsys.readouterr()
    assert said.out == ""
    line, *quoted = said.err.splitlines()
    assert len(quoted) == len(PLACE.findall(line))
    assert len(said.err) < 5000
    assert sorted(Path().rglob("*")) == before
    return PLACE.sub("job.toml: ", line.removeprefix("mcts-cluster: "))


# Jobs


@pytest.mark.parametrize(
    ("more", "line"),
    [
        ('title = "a\\u0000b"', 'title: "a\\u0000b" must be text without NUL characters'),
        ("seed = 1e400", "seed: inf must be a whole number"),
        ("seed = " + "9" * 4000, "too large, must be at most 9223372036854775807"),
        ("seed = " + "9" * 5000, "Exceeds the limit"),
        ("seed = " + "[" * 50 + "]" * 50, "must be a whole number"),
        ("seed = " + "[" * 50_000, "tables or lists are nested too deeply"),
        ("title = 5", "title: 5 must be a string"),
        (f"title = '{'x' * 4001}'", "is too long, must be at most 4,000 characters"),
        ("player = 5", "player"),
        ("\0", "Invalid statement (at line 1, column 1)"),
    ],
)
def test_what_a_job_says_is_refused_in_a_line(more, line, capsys):
    Path("job.toml").write_text(f"{more}\n" if "player" in more else f"{more}\n{JOB}")

    for verb in ("check", "job.toml"), ("run", "job.toml", "-o", "out.h5"):
        said = refused(capsys, *verb) if "player" not in more else lines_of(capsys, *verb)
        assert line in said
        assert said.startswith("job.toml: ")


def lines_of(capsys, *words):
    assert main(list(words)) == 2
    lines = capsys.readouterr().err.removeprefix("mcts-cluster: ").splitlines()
    return "\n".join(PLACE.sub("job.toml: ", one) for one in lines if not one.startswith("    "))


@pytest.mark.parametrize(
    ("match", "path"),
    [
        ("players = 5\nvary.a.simulations = [1, 2]", "match.0"),
        ('players = [["a"], 5]\nvary.a.simulations = [1, 2]', "match.0"),
        ('players = ["a", "b"]\nvary = 5', "match.0.vary"),
        ('players = ["a", "b"]\nvary.a = 5', "match.0.vary.a"),
        ('players = ["a", "b"]\nvary.a.simulations = [[1], {x = 1}]', "match.0.vary.a.simulations"),
        ('players = ["a", "b"]\nvary.players = [5, 6]', "match.0.vary.players"),
    ],
)
def test_sweeps_of_wrong_types_are_mistakes_of_their_keys(match, path, capsys):
    Path("job.toml").write_text(JOB.replace('players = ["a", "b"]', match))

    assert f"job.toml: {path}" in lines_of(capsys, "check", "job.toml")


def test_players_that_are_like_each_other_without_end_are_a_mistake(capsys):
    chain = "".join(f"[player.p{i}]\nlike = 'p{i + 1}'\n" for i in range(3000))
    Path("job.toml").write_text(JOB + chain)

    said = lines_of(capsys, "check", "job.toml")

    assert "player.p101.like: more than 100 players are each like the next" in said
    assert len(said.splitlines()) <= 101


def test_of_many_mistakes_the_first_are_told(capsys):
    Path("job.toml").write_text(JOB + "".join(f"[player.p{i}]\nx = 1\n" for i in range(200)))

    *first, last = lines_of(capsys, "check", "job.toml").splitlines()

    assert len(first) == 100
    assert last == "job.toml: and more mistakes"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("a." * 400_000 + "b = 1", "tables are nested too deeply"),
        ("".join(f"k{i} = 1\n" for i in range(80_000)), "k0: unknown key"),
        ("".join(f"[player.p{i}]\n" for i in range(11_000)), "player: more than 10,000 players"),
        ("[[match]]\n" * 11_000, "match: more than 10,000 matches"),
        (f"{JOB}vary.a.simulations = {list(range(10, 11_000))}", "match: more than 10,000 matches"),
        ("#" * (10**6 + 1), "too large, must be at most 1 MB"),
    ],
    ids=["keys in keys", "keys", "players", "matches", "rows", "characters"],
)
def test_a_job_of_a_million_characters_is_refused_soon(text, says, capsys):
    Path("job.toml").write_text(text)

    with deadline(60):
        assert f"job.toml: {says}" in lines_of(capsys, "check", "job.toml")


@pytest.mark.parametrize(
    "text",
    [
        "player.a.simulations=1e400",
        f"seed={'9' * 5000}",
        "a=[",
        f"seed={'[' * 50_000}",
        "=",
        "\0=1",
    ],
)
def test_assignments_are_refused_in_a_line(text, capsys):
    said = lines_of(capsys, "run", "job.toml", "-o", "out.h5", "--set", text)

    assert len(said.splitlines()) <= 2
    assert len(said) < 1000
    assert not Path("out.h5").exists()


# Files that are read


def pipe(path):
    os.mkfifo(path)
    return path


def device(path):
    path.symlink_to("/dev/zero")
    return path


def folder_instead(path):
    path.mkdir()
    return path


def large(path):
    # With a hole in it: 1 GB takes no room.
    with path.open("wb") as file:
        file.truncate(10**9)
    return path


UNFIT = {
    pipe: "not a regular file",
    device: "not a regular file",
    folder_instead: "Is a directory",
    large: "too large, must be at most ",
}


@pytest.mark.parametrize("make", UNFIT)
def test_what_is_no_file_or_too_large_is_no_job(make, capsys):
    path = make(Path("other.toml"))

    assert refused(capsys, "check", path).startswith(f"{path}: {UNFIT[make]}")


@pytest.mark.parametrize("make", UNFIT)
@pytest.mark.parametrize(
    "line", ["simulations = 4\npatterns = 'named'", "simulations = 4\nmove_model = 'named'"]
)
def test_what_is_no_file_or_too_large_is_not_read_for_a_player(make, line, capsys):
    make(Path("named"))
    Path("job.toml").write_text(JOB.replace("simulations = 4", line))

    key = line.split()[3]
    assert refused(capsys, "check", "job.toml").startswith(
        f"job.toml: player.a.{key}: named: {UNFIT[make]}"
    )


@pytest.mark.parametrize("make", UNFIT)
def test_what_is_no_file_or_too_large_has_no_positions(make, capsys):
    make(Path("named"))
    positions = '[positions]\nfile = "named"\nplayers = ["a"]\nruns = 1\n'
    Path("job.toml").write_text(JOB.partition("[[match]]")[0] + positions)

    assert refused(capsys, "check", "job.toml").startswith(
        f"job.toml: positions.file: named: {UNFIT[make]}"
    )


@pytest.mark.parametrize("make", [pipe, device, folder_instead])
def test_what_is_no_file_is_no_file_of_results(make, capsys):
    path = make(Path("other.h5"))

    assert refused(capsys, "show", path) == f"{path}: not a file"
    assert refused(capsys, "run", "job.toml", "-o", path)


def test_a_small_archive_of_very_large_records_is_refused(capsys):
    path = Path("games.sgf.gz")
    path.write_bytes(gzip.compress(bytes(101 * 10**6), 1))

    with pytest.raises(UserError, match=r"games\.sgf\.gz: too large, must be at most 100 MB"):
        move_model_training.records_of(path)


# Files that are written


@pytest.fixture
def terminal():
    """A device that no mistake here can replace, whoever runs the tests."""
    ends = os.openpty()
    yield Path(os.ttyname(ends[1]))
    for end in ends:
        os.close(end)


OUTPUTS = {
    "run": ("run", "job.toml"),
    "export": ("export", EXAMPLE, "--format", "csv"),
    "report": ("report", EXAMPLE),
    "validate": ("validate", CAMPAIGN),
    "merge": ("merge", EXAMPLE, CAMPAIGN),
}


@pytest.mark.parametrize("verb", OUTPUTS)
@pytest.mark.parametrize("out", ["/", "", ".", "..", "pipe", "device", "loop", "x" * 300])
def test_what_can_be_no_file_is_not_written(verb, out, terminal, capsys):
    os.mkfifo("pipe")
    Path("device").symlink_to(terminal)
    Path("loop").symlink_to("loop")

    refused(capsys, *OUTPUTS[verb], "-o", out)

    assert Path("pipe").is_fifo()
    assert Path("device").readlink() == terminal
    assert terminal.is_char_device()


@pytest.mark.parametrize("out", ["pipe.png", "device.png"])
def test_pictures_replace_no_device(out, terminal, capsys):
    os.mkfifo("pipe.png")
    Path("device.png").symlink_to(terminal)
    Path("patterns.txt").write_text("pattern\nstrength = 1\nX *\n")

    refused(capsys, "plot", EXAMPLE, "-o", out)
    refused(capsys, "patterns", "show", "patterns.txt", "--png", out)

    assert Path("pipe.png").is_fifo()
    assert Path("device.png").readlink() == terminal


@pytest.mark.parametrize("verb", ["run", "export", "report"])
def test_a_link_is_followed_and_stays_one(verb, capsys):
    Path("there").mkdir()
    Path("link").symlink_to("there/new")

    for _ in range(2):
        assert main([*map(str, OUTPUTS[verb]), "-o", "link"]) == 0
        assert Path("link").readlink() == Path("there/new")
        assert Path("there/new").stat().st_size > 0
        assert [path.name for path in Path("there").iterdir()] == ["new"]


def test_a_model_is_not_learnt_where_it_cannot_be_written(capsys):
    Path("games").mkdir()

    said = refused(capsys, "patterns", "learn", "games", "-o", "games")

    assert said == "games: a folder, must be a file or a new name"


def test_patterns_of_a_large_file_are_not_read():
    with pytest.raises(UserError, match="named: too large, must be at most 10 MB"):
        bias_patterns.read(large(Path("named")))


# Folders

WRITING = {
    **OUTPUTS,
    "plot": ("plot", EXAMPLE),
    "init": ("init",),
    "patterns": ("patterns", "learn", "games"),
}


@pytest.mark.parametrize("verb", sorted(WRITING.keys() - {"report"}))
def test_what_ends_with_a_slash_is_a_folder_and_nothing_is_made_of_it(verb, capsys):
    Path("games").mkdir()

    said = refused(capsys, *WRITING[verb], "-o", "new/")

    assert said == "new/: a folder, must be a file or a new name"


@pytest.mark.parametrize("verb", ["run", "export", "report", "plot", "init"])
def test_a_folder_that_is_not_there_is_made_and_told(verb, capsys):
    assert main([*map(str, WRITING[verb]), "-o", "new/folder/out.png"]) == 0

    assert Path("new/folder/out.png").stat().st_size
    assert "mcts-cluster: made the folder new/folder\n" in capsys.readouterr().err
