"""An OAR cluster of several nodes on this machine, for tests, in namespaces of its own."""

import fcntl
import os
import shutil
import signal
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DEBIAN = Path(os.environ.get("MCTS_CLUSTER_OAR", "/var/tmp/mcts_cluster-oar"))
NEEDED = ("unshare", "nsenter", "chroot", "mount")
NODES, CORES = 2, 2
# Where the user alice finds the folder of the test.
FOLDER = "/home/alice/job"

# Its own processes, mounts, network and host name; all of it ends with the first process.
MOUNTED = """
set -e
mount --make-rprivate /
mount --rbind /dev "$0/dev"
mount -t proc proc "$0/proc"
for pair; do
  mkdir -p "$0/${pair#*=}"
  mount --bind "${pair%%=*}" "$0/${pair#*=}"
done
exec chroot "$0" /bin/bash /run/start.sh NODES CORES
""".replace("NODES CORES", f"{NODES} {CORES}")


class Oar:
    """A running cluster."""

    def __init__(self, pid):
        self.pid = pid

    def command(self, *words):
        enter = ["nsenter", f"--target={self.pid}", "--net", "--pid", "--mount", "--uts"]
        clean = ["env", "-i", "PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin"]
        return [*enter, "chroot", str(DEBIAN), *clean, *words]

    def alice(self, shell_words, check=True):
        """Run a line of shell as the user, in the folder of the test; return what it prints."""
        done = subprocess.run(
            self.command("su", "-", "alice", "-c", f"cd {FOLDER} && {shell_words}"),
            capture_output=True,
            text=True,
            timeout=60,
        )
        assert not check or done.returncode == 0, done
        return done.stdout


@contextmanager
def oar_here(folder):
    """Start OAR, with this folder as the user's."""
    if os.getuid() != 0 or not all(map(shutil.which, NEEDED)):
        pytest.skip("needs root, and unshare and nsenter (Debian: apt install util-linux)")
    if not (DEBIAN / "usr" / "sbin" / "oar-server").exists():
        pytest.skip(f"needs OAR in {DEBIAN}: sh tests/systems/oar/build.sh makes it in a minute")
    with (DEBIAN / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        shutil.copy(Path(__file__).with_name("oar") / "start.sh", DEBIAN / "run" / "start.sh")
        (DEBIAN / "run" / "ready").unlink(missing_ok=True)
        # Python and this project stand where they do outside, readable for all.
        places = {Path(sys.base_prefix).resolve(), Path(sys.prefix).resolve(), ROOT}
        for place in places:
            opened(place)
        pairs = [f"{place}={place}" for place in sorted(places)] + [f"{folder}={FOLDER}"]
        words = ["unshare", "--net", "--pid", "--fork", "--mount", "--uts", "--kill-child=SIGKILL"]
        with (folder.parent / "oar.log").open("w") as log:
            process = subprocess.Popen(
                [*words, "bash", "-c", MOUNTED, str(DEBIAN), *pairs],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        try:
            yield started(process, folder)
        finally:
            process.send_signal(signal.SIGKILL)
            process.wait()


def opened(place):
    """Let the user through to a place inside, of which there may be nothing yet."""
    for path in reversed(place.parents[:-1]):
        inside = DEBIAN / path.relative_to("/")
        inside.mkdir(exist_ok=True)
        inside.chmod(0o755)


def started(process, folder):
    log = folder.parent / "oar.log"
    deadline = time.monotonic() + 120
    while not (DEBIAN / "run" / "ready").exists():
        assert process.poll() is None and time.monotonic() < deadline, log.read_text()[-3000:]
        time.sleep(0.1)
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
    oar = Oar(int(children[0]))
    user = subprocess.run(oar.command("id", "-u", "alice"), capture_output=True, check=True)
    os.chown(folder, int(user.stdout), int(user.stdout))
    python = oar.command(sys.executable, "-c", "import h5py, mcts_cluster.running.master")
    if subprocess.run(python, capture_output=True, timeout=60).returncode:
        pytest.skip(f"the Python of this machine does not run on the Debian in {DEBIAN}")
    return oar
