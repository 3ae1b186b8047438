"""Files of the user: read whole, or refused in a line; nothing waits for what never ends."""

from pathlib import Path

import pytest

from mcts_cluster import text_files
from mcts_cluster.benchmarks import exchange_model
from mcts_cluster.errors import UserError
from mcts_cluster.jobs import jobfile
from mcts_cluster.players import bias_patterns, move_model, move_model_training
from mcts_cluster.positions import position_file

READERS = {
    "a job": jobfile.read,
    "patterns": bias_patterns.read,
    "a move model": lambda path: move_model.source(str(path)),
    "records": move_model_training.records_of,
    "positions": position_file.read,
    "exchanges": exchange_model.read,
}


@pytest.mark.parametrize("read", READERS.values(), ids=READERS)
def test_a_device_is_refused_in_a_line(read):
    # It stands for those that never end, on which a broken reader would hang.
    with pytest.raises(UserError, match="not a regular file") as found:
        read(Path("/dev/null"))

    assert str(found.value).startswith("/dev/null: ")
    assert "\n" not in str(found.value)


@pytest.mark.parametrize("read", READERS.values(), ids=READERS)
def test_a_name_that_no_file_can_have_is_refused_in_a_line(read):
    with pytest.raises(UserError, match="not a path"):
        read(Path("a\0b"))


def test_a_missing_folder_is_made_and_named(tmp_path, capsys):
    path = tmp_path / "new" / "newer" / "a.txt"

    for _ in range(2):
        text_files.write(path, "text")

    assert path.read_text() == "text"
    # Once: the second time it is there.
    assert capsys.readouterr().err == f"mcts-cluster: made the folder {path.parent}\n"


def test_a_folder_that_cannot_be_made_is_refused_in_a_line(tmp_path):
    (tmp_path / "file").write_text("")

    with pytest.raises(UserError) as refused:
        text_files.write(tmp_path / "file" / "a.txt", "text")

    assert str(refused.value) in (
        f"{tmp_path / 'file'}: {reason}" for reason in ("File exists", "Not a directory")
    )


def test_lines_end_alike_on_all_systems(tmp_path):
    path = tmp_path / "text"
    path.write_bytes(b"one\r\ntwo\rthree\n")

    assert text_files.read(path) == "one\ntwo\nthree\n"
