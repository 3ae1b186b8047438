"""File systems without locks, or with those of one host: a file has one writer there, too."""

import errno
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import python_path, wait_until

from mcts_cluster.errors import UserError
from mcts_cluster.storage import heartbeat
from mcts_cluster.storage.lock import is_locked, locked

HERE = Path(__file__).parent

# Says what it has, and keeps it until it is told to end.
HOLD = """
import sys
from pathlib import Path
from mcts_cluster.errors import UserError
from mcts_cluster.storage import heartbeat, lock
heartbeat.SECONDS_BETWEEN_BEATS, heartbeat.SECONDS_BETWEEN_LOOKS = 0.1, 0.05
heartbeat.SECONDS_TO_WATCH = lock.SECONDS_TO_WATCH = float(sys.argv[2])
try:
    with lock.locked(Path(sys.argv[1])):
        print("has it", flush=True)
        sys.stdin.read()
except UserError as error:
    print(error, flush=True)
"""


@pytest.fixture(scope="module")
def shim(tmp_path_factory):
    library = tmp_path_factory.mktemp("locks") / "locks.so"
    command = ["cc", "-shared", "-fPIC", "-o", library, HERE / "locks.c", "-ldl"]
    subprocess.run(command, check=True)
    return str(library)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "job.h5"


@pytest.fixture
def start(shim, path):
    """Start a process that wants the lock, on a host, where locks fail with an error."""
    begun = []

    def start(host, error, watch=30.0):
        process = subprocess.Popen(
            [sys.executable, "-c", HOLD, str(path), str(watch)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=os.environ
            | {"PYTHONPATH": python_path(), "LD_PRELOAD": shim}
            | {"FAKE_HOST": host, "FAKE_LOCKS": str(error)},
        )
        begun.append(process)
        return process

    yield start
    for process in begun:
        process.kill()
        process.wait()
        for pipe in (process.stdin, process.stdout, process.stderr):
            pipe.close()


NO_LOCKS = [errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP]
LOCAL = 0


@pytest.mark.parametrize("error", [*NO_LOCKS, LOCAL])
def test_of_two_runs_one_has_the_file_where_locks_do_not_tell(error, start, path):
    first = start("h1", error)
    assert first.stdout.readline() == "has it\n"

    second = start("h2", error)
    told = second.stdout.readline()
    first.stdin.close()
    warned = first.stderr.read()

    assert told == (f"{path}: is being written by another run (process {first.pid} on h1)\n")
    assert f"may be written by process {first.pid} on h1; watching" in second.stderr.readline()
    assert warned.count("this file system has no locks") == (error in NO_LOCKS)
    assert list(path.parent.iterdir()) == []


@pytest.mark.parametrize("error", [errno.ENOLCK, LOCAL])
def test_the_lock_of_a_run_that_is_gone_is_taken_over_with_a_line(error, start, path):
    first = start("h1", error)
    assert first.stdout.readline() == "has it\n"
    first.send_signal(signal.SIGKILL)
    first.wait()

    second = start("h2", error, watch=0.5)

    assert second.stdout.readline() == "has it\n"
    second.stdin.close()
    assert f"process {first.pid} on h1 is gone; its lock is taken over\n" in second.stderr.read()
    assert list(path.parent.iterdir()) == []


def test_a_lock_of_this_host_is_taken_over_at_once_where_there_are_locks(path, capsys):
    lock_file = path.with_name(".job.h5.lock")
    lock_file.write_text(f"process 1 on {os.uname().nodename}")

    with locked(path):
        assert lock_file.read_text() == f"process {os.getpid()} on {os.uname().nodename}"

    assert capsys.readouterr().err == ""


def test_a_lock_of_long_ago_is_not_watched(path, capsys, monkeypatch):
    monkeypatch.setattr(heartbeat.time, "sleep", lambda _: pytest.fail("waits"))
    lock_file = path.with_name(".job.h5.lock")
    lock_file.write_text("process 1 on elsewhere")
    os.utime(lock_file, (1e9, 1e9))

    assert not is_locked(path)
    with locked(path):
        pass

    assert "process 1 on elsewhere is gone; its lock is taken over" in capsys.readouterr().err


def test_a_run_on_another_host_is_seen_where_locks_are_of_one_host(path):
    lock_file = path.with_name(".job.h5.lock")
    lock_file.write_text("process 1 on elsewhere")

    assert is_locked(path)


def test_a_lock_is_touched_as_long_as_it_is_held(path, monkeypatch):
    monkeypatch.setattr(heartbeat, "SECONDS_BETWEEN_BEATS", 0.02)
    lock_file = path.with_name(".job.h5.lock")

    with locked(path):
        os.utime(lock_file, (1e9, 1e9))
        wait_until(lambda: lock_file.stat().st_mtime > 1e9 + 1)
        with pytest.raises(UserError, match="is being written by another run"), locked(path):
            pass

    assert not lock_file.exists()
