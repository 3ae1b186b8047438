"""What a job names is read from its results, wherever the files are by now."""

import pytest

from mcts_cluster.errors import UserError
from mcts_cluster.jobs import compatibility, jobfile
from mcts_cluster.jobs.kept_files import kept_players

PATTERNS = "pattern one\nstrength = 0.1\n\nX ? #\n? * O\n\npattern\nstrength = -2e-9\nS . *\n"
PLAYER = "[player.a]\nsimulations = 10\n"
MATCH = '[[match]]\nplayers = ["a", "b"]\ngames = 2\n'
OTHER = "[player.b]\nsimulations = 20\n"
POSITIONS = """
position one ; a remark
to play = black
good moves = E4 D5
proof = by the rules: a = b

    . . . . .
    . . O . .
    . O X O .
    . . . . .
    . . . . .

position
to play = white
good moves = E4

    . . . . .
    . . X . .
    . X O X .
    . . . . .
    . . . . .
"""

JOBS = {
    "patterns of a player": (PLAYER + "patterns = 'FILE'\n" + OTHER + MATCH, PATTERNS),
    "patterns of a team": (
        PLAYER + "patterns = 'FILE'\nmachines = 2\n" + OTHER + MATCH,
        PATTERNS,
    ),
    "patterns of a variant": (
        PLAYER + "patterns = 'FILE'\n" + OTHER + MATCH + "vary.a.simulations = [30, 40]\n",
        PATTERNS,
    ),
    "listed mutations": (
        PLAYER + "[campaign]\nplayer = 'a'\niterations = 2\nproposer = 'listed'\n"
        "patterns = 'FILE'\n",
        PATTERNS,
    ),
    "a model": (
        "[game]\nsize = 15\n" + PLAYER + "move_model = 'FILE'\n" + OTHER + MATCH,
        "# a remark\n",
    ),
    "a model on a small board": (
        "[game]\nsize = 5\n" + PLAYER + "move_model = 'FILE'\n" + OTHER + MATCH,
        "# a remark\n",
    ),
    "positions": (
        "[game]\nsize = 5\n" + PLAYER + "[positions]\nfile = 'FILE'\nplayers = ['a']\n"
        "simulations = [10, 20]\n",
        POSITIONS,
    ),
}


@pytest.mark.parametrize("name", JOBS)
def test_a_job_is_read_again_without_its_files(name, tmp_path):
    text, content = JOBS[name]
    file = tmp_path / "file.txt"
    file.write_text(content)
    text = text.replace("FILE", str(file))
    job = jobfile.read_text(text)
    settings = compatibility.describe(job)

    # Another content, and none.
    for other in (content.replace("0.1", "0.2").replace("black", "white"), None):
        file.write_text(other) if other else file.unlink()
        again = jobfile.read_text(text, (), settings)

        assert compatibility.describe(again) == settings

    # Once it is read, files are files.
    with pytest.raises(UserError, match=r"file\.txt: (No such file|.*Errno 2)"):
        jobfile.read_text(text)


@pytest.mark.parametrize("machines", ["", "machines = 2\n"])
def test_defaults_are_those_of_the_results(machines):
    text = PLAYER + machines + OTHER + MATCH
    kept = compatibility.read(
        compatibility.written(compatibility.describe(jobfile.read_text(text)))
    )
    player = kept["player"]["a"]
    search = player["machine"] if machines else player
    search["rave"], search["reuse_tree"] = 77.0, False
    search["policy_settings"] |= {"prior_even": 3, "no_longer_known": 1}
    del search["explore_every"], search["policy_settings"]["playout_nakade"]

    players = kept_players(jobfile.read_text(text).players, kept)

    found = players["a"]
    found = found.machine if machines else found
    assert (found.rave, found.reuse_tree, found.explore_every) == (77.0, False, 0)
    assert dict(found.policy_settings)["prior_even"] == 3
    assert dict(found.policy_settings)["playout_nakade"] == 0
    assert "no_longer_known" not in dict(found.policy_settings)
    assert players["b"].explore_every == 8
